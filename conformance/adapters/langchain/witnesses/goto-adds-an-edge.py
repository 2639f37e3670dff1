"""A command that goes to the end adds an edge: after the tools, the model is called as without the command."""

from langchain.agents import create_agent
from langchain.agents.middleware import wrap_tool_call
from langchain.tools import ToolRuntime
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.graph import END
from langgraph.types import Command

from scripted import Scripted, call


@tool
def stop(runtime: ToolRuntime) -> Command:
    """Stop."""
    return Command(update={"messages": [ToolMessage("stopped", tool_call_id=runtime.tool_call_id)]}, goto=END)


@tool
def weather() -> str:
    """The weather."""
    return "sunny"


@wrap_tool_call
def stopper(request, handler):
    return Command(update={"messages": [handler(request)]}, goto=END)


for name, middleware in ("stop", []), ("weather", [stopper]):
    model = Scripted(AIMessage("", tool_calls=[call(name)]), AIMessage("done"))
    state = create_agent(model, [stop, weather], middleware=middleware).invoke({"messages": "hi"})
    print("model calls:", len(model.calls), [message.text for message in state["messages"]])

# Output:
# model calls: 2 ['hi', '', 'stopped', 'done']
# model calls: 2 ['hi', '', 'sunny', 'done']
