"""A run without a response of the model ends without an error, and a streaming run also if a response is empty."""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.agents.run_config import RunConfig, StreamingMode
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai.types import FinishReason


class Model(BaseLlm):
    responses: list[LlmResponse]

    async def generate_content_async(self, llm_request, stream=False):
        for response in self.responses:
            yield response


async def ask(text: str, responses: list[LlmResponse], mode: StreamingMode) -> None:
    agent = LlmAgent(name="agent", model=Model(model="model", responses=responses))
    config = RunConfig(streaming_mode=mode)
    events = await InMemoryRunner(agent=agent).run_debug("hi", quiet=True, run_config=config)
    print(f"{text}, streaming mode {mode.name}:", [event.error_code for event in events])


for mode in (StreamingMode.NONE, StreamingMode.SSE):
    asyncio.run(ask("no response", [], mode))
    asyncio.run(ask("no content", [LlmResponse(finish_reason=FinishReason.STOP)], mode))

# Output:
# no response, streaming mode NONE: []
# no content, streaming mode NONE: ['MODEL_RETURNED_NO_CONTENT']
# no response, streaming mode SSE: []
# no content, streaming mode SSE: []
