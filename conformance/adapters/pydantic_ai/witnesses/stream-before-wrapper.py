"""The events of a streaming run have the answer of the model, and its output is the answer of the wrapper."""

import asyncio
from collections.abc import AsyncIterator

from pydantic_ai import Agent, AgentRunResultEvent, ModelMessage, ModelResponse, PartStartEvent, TextPart
from pydantic_ai.capabilities import Hooks
from pydantic_ai.models.function import AgentInfo, FunctionModel

hooks = Hooks()


async def model(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str]:
    yield "plain"


@hooks.on.model_request
async def polite(ctx, *, request_context, handler):
    answer = await handler(request_context)
    return ModelResponse([TextPart(f"{answer.text}, please")])


async def main() -> None:
    async with Agent(FunctionModel(stream_function=model), capabilities=[hooks]).run_stream_events("hi") as events:
        async for event in events:
            if isinstance(event, PartStartEvent):
                print("event:", event.part.content)
            elif isinstance(event, AgentRunResultEvent):
                print("output:", event.result.output)


asyncio.run(main())

# Output:
# event: plain
# output: plain, please
