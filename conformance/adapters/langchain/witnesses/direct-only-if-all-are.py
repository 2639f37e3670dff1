"""A return-directly tool next to another tool does not end the run: the model is called again."""

from langchain.agents import create_agent
from langchain_core.messages import AIMessage
from langchain_core.tools import tool

from scripted import Scripted, call


@tool(return_direct=True)
def weather() -> str:
    """The weather."""
    return "sunny"


@tool
def search() -> str:
    """Search."""
    return "a result"


for names in ["weather"], ["weather", "search"]:
    model = Scripted(AIMessage("", tool_calls=[call(name) for name in names]), AIMessage("done"))
    state = create_agent(model, [weather, search]).invoke({"messages": "hi"})
    print("calls:", names, "model calls:", len(model.calls), "answer:", state["messages"][-1].text)

# Output:
# calls: ['weather'] model calls: 1 answer: sunny
# calls: ['weather', 'search'] model calls: 2 answer: done
