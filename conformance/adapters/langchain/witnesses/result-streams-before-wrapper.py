"""A streaming run emits the parts of a tool's result before a wrapper of the tool call has returned."""

from langchain.agents import create_agent
from langchain.agents.middleware import wrap_tool_call
from langchain.tools import ToolRuntime
from langchain_core.messages import AIMessage
from langchain_core.tools import tool

from scripted import Scripted, call


@tool
def weather(runtime: ToolRuntime) -> str:
    """The weather."""
    runtime.emit_output_delta("sun")
    runtime.emit_output_delta("ny")
    return "sunny"


@wrap_tool_call
def loud(request, handler):
    result = handler(request)
    return result.model_copy(update={"content": result.text.upper()})


model = Scripted(AIMessage("", tool_calls=[call("weather")]), AIMessage("done"))
agent = create_agent(model, [weather], middleware=[loud])
for mode, chunk in agent.stream({"messages": "hi"}, stream_mode=["tools", "updates"]):
    match mode, chunk:
        case "tools", {"delta": part}:
            print("part:", part)
        case "updates", {"tools": update}:
            print("update:", update["messages"][0].text)

# Output:
# part: sun
# part: ny
# update: SUNNY
