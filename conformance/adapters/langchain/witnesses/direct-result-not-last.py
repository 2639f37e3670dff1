"""The result of a return-directly tool is emitted when the tool ends, before the results of slower tools."""

from threading import Event

from langchain.agents import create_agent
from langchain_core.messages import AIMessage
from langchain_core.tools import tool

from scripted import Scripted, call

emitted = Event()


@tool(return_direct=True)
def weather() -> str:
    """The weather."""
    return "sunny"


@tool
def search() -> str:
    """Search, and end after the result of the other tool is emitted."""
    emitted.wait(timeout=10)
    return "a result"


model = Scripted(AIMessage("", tool_calls=[call("weather"), call("search")]), AIMessage("done"))
for update in create_agent(model, [weather, search]).stream({"messages": "hi"}, stream_mode="updates"):
    if "tools" in update:
        emitted.set()
    print([(node, message.text) for node, found in update.items() for message in found["messages"]])

# Output:
# [('model', '')]
# [('tools', 'sunny')]
# [('tools', 'a result')]
# [('model', 'done')]
