"""A cancelled run waits for the end of a tool call that ignores the cancellation."""

import asyncio

from pydantic_ai import Agent, ModelResponse, RunCancelled, RunContext, ToolCallPart
from pydantic_ai.models.function import FunctionModel

agent = Agent(FunctionModel(lambda messages, info: ModelResponse([ToolCallPart("slow")])))


@agent.tool
async def slow(ctx: RunContext) -> str:
    ctx.cancel()
    try:
        await asyncio.sleep(10)
    except asyncio.CancelledError:
        print("the tool ignores the cancellation")
    await asyncio.sleep(0.2)
    print("the tool ends")
    return "ok"


try:
    agent.run_sync("hi")
except RunCancelled:
    print("the run ends")

# Output:
# the tool ignores the cancellation
# the tool ends
# the run ends
