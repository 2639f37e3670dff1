"""A cancelled run waits for a tool that ignores its cancellation."""

import asyncio

from langchain.agents import create_agent
from langchain_core.messages import AIMessage
from langchain_core.tools import tool

from scripted import Scripted, call


@tool
async def save() -> None:
    """Save the file."""
    try:
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        print("save is cancelled")
    await asyncio.sleep(1)
    print("save returns")


async def main() -> None:
    agent = create_agent(Scripted(AIMessage("", tool_calls=[call("save")])), [save])
    try:
        await asyncio.wait_for(agent.ainvoke({"messages": "Hello."}), 1)  # the timeout cancels the run
    except TimeoutError:
        print("the run ends")


asyncio.run(main())

# Output:
# save is cancelled
# save returns
# the run ends
