"""A wrong answer of a model wrapper, and a wrong request of any wrapper, is an AttributeError where it is used."""

from langchain.agents import create_agent
from langchain.agents.middleware import wrap_model_call, wrap_tool_call
from langchain_core.messages import AIMessage
from langchain_core.tools import tool

from scripted import Scripted, call


@tool
def weather() -> str:
    """The weather."""
    return "sunny"


def returns_7(request, handler):
    return 7


def passes_7_on(request, handler):
    return handler(7)


for wrap, function in (wrap_model_call, returns_7), (wrap_model_call, passes_7_on), (wrap_tool_call, passes_7_on):
    model = Scripted(AIMessage("", tool_calls=[call("weather")]))
    try:
        create_agent(model, [weather], middleware=[wrap(function)]).invoke({"messages": "hi"})
    except Exception as error:
        print(wrap.__name__, function.__name__, type(error).__name__, error)

# Output:
# wrap_model_call returns_7 AttributeError 'int' object has no attribute 'result'
# wrap_model_call passes_7_on AttributeError 'int' object has no attribute 'tools'
# wrap_tool_call passes_7_on AttributeError 'int' object has no attribute 'tool_call'
