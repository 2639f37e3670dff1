"""The result of a call that returned is missing in the next run, if another call of the answer was cancelled."""

import asyncio

from langchain.agents import create_agent
from langchain_core.messages import AIMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver

from scripted import Scripted, call


@tool
async def weather() -> str:
    """The weather."""
    print("weather returns")
    return "sunny"


@tool
async def search() -> None:
    """Search the web."""
    await asyncio.sleep(60)


async def main() -> None:
    model = Scripted(AIMessage("", tool_calls=[call("weather"), call("search")]), AIMessage("done"))
    agent = create_agent(model, [weather, search], checkpointer=InMemorySaver())
    thread = {"configurable": {"thread_id": "1"}}
    run = asyncio.wait_for(agent.ainvoke({"messages": "Hello."}, thread), 1)  # the timeout cancels the run
    await asyncio.gather(run, return_exceptions=True)
    await agent.ainvoke({"messages": "Go on."}, thread)
    print("the next model call:", [(message.type, message.text) for message in model.calls[1]])


asyncio.run(main())

# Output:
# weather returns
# the next model call: [('human', 'Hello.'), ('ai', ''), ('human', 'Go on.')]
