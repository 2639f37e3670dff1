"""Two return-directly tools end a run with both results in the order of the calls: none of them is the answer."""

import time

from langchain.agents import create_agent
from langchain_core.messages import AIMessage
from langchain_core.tools import tool

from scripted import Scripted, call


@tool(return_direct=True)
def slow() -> str:
    """A slow tool."""
    time.sleep(0.5)
    print("slow ends")
    return "finally"


@tool(return_direct=True)
def weather() -> str:
    """The weather."""
    print("weather ends")
    return "sunny"


model = Scripted(AIMessage("", tool_calls=[call("slow"), call("weather")]))
state = create_agent(model, [slow, weather]).invoke({"messages": "hi"})
print(len(model.calls), [(message.type, message.text) for message in state["messages"]])

# Output:
# weather ends
# slow ends
# 1 [('human', 'hi'), ('ai', ''), ('tool', 'finally'), ('tool', 'sunny')]
