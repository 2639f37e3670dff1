"""A command that goes to the model skips the before-model hooks, which the edge from the tools leads to as well."""

from langchain.agents import create_agent
from langchain.agents.middleware import before_model
from langchain.tools import ToolRuntime
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.types import Command

from scripted import Scripted, call


@tool
def more(runtime: ToolRuntime) -> Command:
    """Go on."""
    return Command(update={"messages": [ToolMessage("ok", tool_call_id=runtime.tool_call_id)]}, goto="model")


@before_model
def watch(state, runtime):
    return None


model = Scripted(AIMessage("", tool_calls=[call("more")]), AIMessage("done"), AIMessage("done again"))
agent = create_agent(model, [more], middleware=[watch])
steps = agent.stream({"messages": "hi"}, stream_mode="debug")
print([(step["step"], step["payload"]["name"]) for step in steps if step["type"] == "task"])
print("model calls:", len(model.calls))

# Output:
# [(1, 'watch.before_model'), (2, 'model'), (3, 'tools'), (4, 'model'), (4, 'watch.before_model'), (5, 'model')]
# model calls: 3
