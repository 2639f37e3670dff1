"""A state keeps a value of another type than its field, from a hook and from the command of a tool."""

from typing import NotRequired

from langchain.agents import AgentState, create_agent
from langchain.agents.middleware import before_agent
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.types import Command

from scripted import Scripted, call


class Count(AgentState):
    count: NotRequired[int]
    total: NotRequired[int]


@before_agent(state_schema=Count)
def start(state, runtime):
    return {"count": "seven"}


@tool
def add() -> Command:
    """Add."""
    return Command(update={"total": ["eight"], "messages": [ToolMessage("ok", tool_call_id="add")]})


model = Scripted(AIMessage("", tool_calls=[call("add")]), AIMessage("done"))
state = create_agent(model, [add], middleware=[start]).invoke({"messages": "hi"})
print(repr(state["count"]), repr(state["total"]), state["messages"][-1].text)

# Output:
# 'seven' ['eight'] done
