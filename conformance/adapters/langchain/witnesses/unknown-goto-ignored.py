"""A command that goes to an unknown node continues as without the command."""

from langchain.agents import create_agent
from langchain.agents.middleware import wrap_tool_call
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.types import Command

from scripted import Scripted, call


@tool
def weather() -> Command:
    """The weather."""
    return Command(update={"messages": [ToolMessage("sunny", tool_call_id="weather")]}, goto="nowhere")


@wrap_tool_call
def wrapper(request, handler):
    return Command(update={"messages": [ToolMessage("rain", tool_call_id="weather")]}, goto="nowhere")


for middleware in [], [wrapper]:
    model = Scripted(AIMessage("", tool_calls=[call("weather")]), AIMessage("done"))
    state = create_agent(model, [weather], middleware=middleware).invoke({"messages": "hi"})
    print([(message.type, message.text) for message in state["messages"]])

# Output:
# [('human', 'hi'), ('ai', ''), ('tool', 'sunny'), ('ai', 'done')]
# [('human', 'hi'), ('ai', ''), ('tool', 'rain'), ('ai', 'done')]
