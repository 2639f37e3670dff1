"""After a run that stops during a tool call, the next run of the thread sends the model a call without a result."""

import asyncio

from langchain.agents import create_agent
from langchain_core.messages import AIMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import interrupt

from scripted import Scripted, call


@tool
async def search(how: str) -> None:
    """Search the web."""
    if how == "fails":
        raise ValueError("no luck")
    if how == "interrupts":
        interrupt("May I?")
    await asyncio.sleep(60)


async def main(how: str) -> None:
    model = Scripted(AIMessage("", tool_calls=[call("search", how=how)]), AIMessage("done"))
    agent = create_agent(model, [search], checkpointer=InMemorySaver())
    thread = {"configurable": {"thread_id": "1"}}
    run = asyncio.wait_for(agent.ainvoke({"messages": "Hello."}, thread), 1)  # the timeout cancels the run
    await asyncio.gather(run, return_exceptions=True)
    await agent.ainvoke({"messages": "Go on."}, thread)
    print(f"{how}:", [message.type for message in model.calls[1]])


for how in "is cancelled", "fails", "interrupts":
    asyncio.run(main(how))

# Output:
# is cancelled: ['human', 'ai', 'human']
# fails: ['human', 'ai', 'human']
# interrupts: ['human', 'ai', 'human']
