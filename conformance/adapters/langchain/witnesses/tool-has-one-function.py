"""A tool has one function and one wrapper, in a run and in a streaming run; the wrapper receives the whole result."""

from langchain.agents import create_agent
from langchain.agents.middleware import wrap_tool_call
from langchain.tools import ToolRuntime
from langchain_core.messages import AIMessage
from langchain_core.tools import tool

from scripted import Scripted, call


@tool
def weather(runtime: ToolRuntime) -> str:
    """The weather."""
    for part in "sun", "ny":
        runtime.emit_output_delta(part)
        seen.append(f"the tool emits {part}")
    return "sunny"


@wrap_tool_call
def watch(request, handler):
    result = handler(request)
    seen.append(f"the wrapper receives {result.text}")
    return result


for method in "invoke", "stream":
    seen = []
    model = Scripted(AIMessage("", tool_calls=[call("weather")]), AIMessage("done"))
    agent = create_agent(model, [weather], middleware=[watch])
    list(getattr(agent, method)({"messages": "hi"}))
    print(method, seen)

# Output:
# invoke ['the tool emits sun', 'the tool emits ny', 'the wrapper receives sunny']
# stream ['the tool emits sun', 'the tool emits ny', 'the wrapper receives sunny']
