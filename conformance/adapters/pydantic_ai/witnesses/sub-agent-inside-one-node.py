"""A sub-agent runs inside one node of the outer run: a caller that cancels between two nodes cancels after its end."""

import asyncio
from contextlib import suppress

from pydantic_ai import Agent, RunCancelled
from pydantic_ai.models.test import TestModel

helper, agent = Agent(TestModel()), Agent(TestModel())
asked = asyncio.Event()


@helper.tool_plain
def look() -> str:
    asked.set()
    print("the helper calls its tool, and a cancellation is asked for")
    return "seen"


@agent.tool_plain
async def ask() -> str:
    print("the helper has called its model again:", (await helper.run("help")).output)
    return "helped"


async def main() -> None:
    with suppress(RunCancelled):
        async with agent.iter("hi") as run:
            async for node in run:
                if asked.is_set():
                    print("the caller cancels before the", type(node).__name__)
                    run.cancel()


asyncio.run(main())

# Output:
# the helper calls its tool, and a cancellation is asked for
# the helper has called its model again: {"look":"seen"}
# the caller cancels before the ModelRequestNode
