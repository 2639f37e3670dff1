"""The error of a drained run has the reason of the request, and does not name the place where the run stopped."""

import asyncio

from langchain.agents import create_agent
from langchain_core.messages import AIMessage
from langchain_core.tools import tool
from langgraph.errors import GraphDrained
from langgraph.runtime import RunControl

from scripted import Scripted, call


@tool
def weather() -> str:
    """The weather."""
    return "sunny"


async def main(node: str) -> None:
    agent = create_agent(Scripted(AIMessage("", tool_calls=[call("weather")]), AIMessage("done")), [weather])
    control = RunControl()
    try:
        async for _, update in agent.astream(
            {"messages": "Hello."}, stream_mode=["updates", "custom"], control=control
        ):
            if node in update:
                control.request_drain()
    except GraphDrained as error:
        print(f"stopped after {node}: {error}, {vars(error)}")


for node in "model", "tools":
    asyncio.run(main(node))

# Output:
# stopped after model: Graph drained: shutdown, {'reason': 'shutdown'}
# stopped after tools: Graph drained: shutdown, {'reason': 'shutdown'}
