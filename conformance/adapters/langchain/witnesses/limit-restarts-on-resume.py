"""A run limit counts the model calls of a resumed run from zero; a thread limit counts on."""

from langchain.agents import create_agent
from langchain.agents.middleware import ModelCallLimitMiddleware
from langchain_core.messages import AIMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, interrupt

from scripted import Scripted, call


@tool
def ask() -> str:
    """Ask the user."""
    return interrupt("Go on?")


thread = {"configurable": {"thread_id": "1"}}
for limits in {"run_limit": 1}, {"thread_limit": 1}:
    model = Scripted(AIMessage("", tool_calls=[call("ask")]), AIMessage("done"))
    limit = ModelCallLimitMiddleware(**limits, exit_behavior="error")
    agent = create_agent(model, [ask], middleware=[limit], checkpointer=InMemorySaver())
    agent.invoke({"messages": "hi"}, thread)
    try:
        agent.invoke(Command(resume="yes"), thread)
    except Exception as error:
        print(type(error).__name__)
    print(limits, "model calls:", len(model.calls))

# Output:
# {'run_limit': 1} model calls: 2
# ModelCallLimitExceededError
# {'thread_limit': 1} model calls: 1
