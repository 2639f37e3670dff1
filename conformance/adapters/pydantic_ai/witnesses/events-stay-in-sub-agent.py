"""A tool runs another agent: the stream of the outer run has none of the events of this agent."""

import asyncio

from pydantic_ai import Agent, FunctionToolResultEvent, RunContext
from pydantic_ai.models.test import TestModel

helper = Agent(TestModel())
agent = Agent(TestModel())


@helper.tool_plain
def weather() -> str:
    print("weather is called")
    return "sunny"


@agent.tool
async def ask(ctx: RunContext) -> str:
    return (await helper.run("help", usage=ctx.usage)).output


async def main() -> None:
    async with agent.run_stream_events("hi") as events:
        results = [event.part.tool_name async for event in events if isinstance(event, FunctionToolResultEvent)]
    print("results in the stream:", results)


asyncio.run(main())

# Output:
# weather is called
# results in the stream: ['ask']
