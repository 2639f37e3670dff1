"""A tool that returns None has the result "null", and the run continues."""

from langchain.agents import create_agent
from langchain_core.messages import AIMessage
from langchain_core.tools import tool

from scripted import Scripted, call


@tool
def weather() -> None:
    """Return nothing."""


model = Scripted(AIMessage("", tool_calls=[call("weather")]), AIMessage("done"))
state = create_agent(model, [weather]).invoke({"messages": "hi"})

print([(message.type, message.text) for message in state["messages"]])

# Output:
# [('human', 'hi'), ('ai', ''), ('tool', 'null'), ('ai', 'done')]
