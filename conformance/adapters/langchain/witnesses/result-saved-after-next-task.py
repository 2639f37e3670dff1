"""Of calls one after another, the result of the first is saved when the second has begun, durable or not."""

import asyncio

from langchain.agents import create_agent
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver

from scripted import Scripted, call


class Saver(InMemorySaver):
    def put_writes(self, config, writes, task_id, task_path=""):
        super().put_writes(config, writes, task_id, task_path)
        results = [one for channel, found in writes if channel == "messages" for one in found]
        print("saved:", [one.text for one in results if isinstance(one, ToolMessage)] or "no result")


@tool
async def charge() -> str:
    """Charge the card."""
    print("charge returns")
    return "charged"


@tool
async def mail() -> str:
    """Send a mail."""
    print("mail begins")
    return "sent"


model = Scripted(AIMessage("", tool_calls=[call("charge"), call("mail")]), AIMessage("done"))
agent = create_agent(model, [charge, mail], checkpointer=Saver())
config = {"configurable": {"thread_id": "1"}, "max_concurrency": 1}
asyncio.run(agent.ainvoke({"messages": "hi"}, config, durability="sync"))

# Output:
# saved: no result
# saved: no result
# charge returns
# mail begins
# saved: ['charged']
# saved: ['sent']
# saved: no result
