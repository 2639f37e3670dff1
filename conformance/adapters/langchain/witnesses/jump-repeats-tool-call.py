"""A jump to the tools performs a tool call again that has a result, and its result is a second one."""

from langchain.agents import create_agent
from langchain.agents.middleware import before_model
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool

from scripted import Scripted, call


@tool
def weather() -> str:
    """The weather."""
    return "rain"


@before_model(can_jump_to=["tools"])
def pilot(state, runtime):
    return {"jump_to": "tools"} if len(state["messages"]) == 3 else None


conversation = [
    HumanMessage("hi"),
    AIMessage("", tool_calls=[call("weather")]),
    ToolMessage("sunny", tool_call_id="weather"),
]
model = Scripted(AIMessage("done"))
create_agent(model, [weather], middleware=[pilot]).invoke({"messages": conversation})

print([(message.type, message.text) for message in model.calls[0]])

# Output:
# [('human', 'hi'), ('ai', ''), ('tool', 'sunny'), ('tool', 'rain')]
