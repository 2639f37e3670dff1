"""A run ends without an error and without an answer if an after-model hook removes all messages."""

from langchain.agents import create_agent
from langchain.agents.middleware import after_agent, after_model
from langchain_core.messages import AIMessage, RemoveMessage
from langchain_core.tools import tool
from langgraph.graph.message import REMOVE_ALL_MESSAGES

from scripted import Scripted


@tool
def weather() -> str:
    """The weather."""
    return "sunny"


@after_model
def forget(state, runtime):
    return {"messages": [RemoveMessage(REMOVE_ALL_MESSAGES)]}


@after_agent
def finish(state, runtime):
    print("after agent:", state["messages"])


for tools in [], [weather]:
    model = Scripted(AIMessage("done"))
    state = create_agent(model, tools, middleware=[forget, finish]).invoke({"messages": "hi"})
    print("tools:", len(tools), "model calls:", len(model.calls), "messages:", state["messages"])

# Output:
# after agent: []
# tools: 0 model calls: 1 messages: []
# after agent: []
# tools: 1 model calls: 1 messages: []
