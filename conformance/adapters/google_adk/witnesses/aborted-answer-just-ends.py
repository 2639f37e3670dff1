"""The chunks of an answer that an abort cuts off are events without an error; the abort is an event of its own."""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.agents.run_config import RunConfig, StreamingMode
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai import types


class Slow(BaseLlm):
    async def generate_content_async(self, llm_request, stream=False):
        yield LlmResponse(content=types.ModelContent("It is"), partial=True)
        await asyncio.sleep(60)
        yield LlmResponse(content=types.ModelContent("It is sunny."), finish_reason=types.FinishReason.STOP)


async def main() -> None:
    abort = asyncio.Event()
    runner = InMemoryRunner(LlmAgent(name="agent", model=Slow(model="slow")), app_name="app")
    session = await runner.session_service.create_session(app_name="app", user_id="user")
    async for event in runner.run_async(
        user_id="user",
        session_id=session.id,
        new_message=types.UserContent("hi"),
        run_config=RunConfig(streaming_mode=StreamingMode.SSE),
        abort_signal=abort,
    ):
        abort.set()
        print([part.text for part in event.content.parts] if event.content else None, event.partial, event.error_code)


asyncio.run(main())

# Output:
# ['It is'] True None
# None None INVOCATION_ABORTED
