"""The updates with the results of two calls of one answer come together, after the slower call has ended."""

import asyncio

from agent_framework import Agent, tool

from scripted import Scripted, calls, says


@tool
async def slow() -> str:
    """Return after a while."""
    await asyncio.sleep(0.2)
    print("slow ends")
    return "result of slow"


@tool
async def fast() -> str:
    """Return at once."""
    print("fast ends")
    return "result of fast"


async def main() -> None:
    agent = Agent(Scripted(calls("slow", "fast"), says("done")), tools=[slow, fast])
    async for update in agent.run("hi", stream=True):
        if update.role == "tool":
            print("update with", [content.result for content in update.contents])


asyncio.run(main())

# Output:
# fast ends
# slow ends
# update with ['result of slow', 'result of fast']
