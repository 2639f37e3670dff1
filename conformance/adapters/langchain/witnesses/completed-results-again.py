"""A result from before an interrupt is emitted again when the run resumes, marked as cached."""

from langchain.agents import create_agent
from langchain_core.messages import AIMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, interrupt

from scripted import Scripted, call


@tool
def weather() -> str:
    """The weather."""
    print("weather is called")
    return "sunny"


@tool
def ask() -> str:
    """Ask the user."""
    return interrupt("Go on?")


model = Scripted(AIMessage("", tool_calls=[call("weather"), call("ask")]), AIMessage("done"))
agent = create_agent(model, [weather, ask], checkpointer=InMemorySaver())
thread = {"configurable": {"thread_id": "1"}}
for given in {"messages": "hi"}, Command(resume="yes"):
    for update in agent.stream(given, thread, stream_mode="updates"):
        if "tools" in update:
            print(update["tools"]["messages"][0].text, update.get("__metadata__"))
    print("the run ends")

# Output:
# weather is called
# sunny None
# the run ends
# sunny {'cached': True}
# yes None
# the run ends
