"""A run whose messages a hook removes before it jumps to the end has no messages, and no error."""

from langchain.agents import create_agent
from langchain.agents.middleware import before_model
from langchain_core.messages import AIMessage, RemoveMessage
from langgraph.graph.message import REMOVE_ALL_MESSAGES

from scripted import Scripted


@before_model(can_jump_to=["end"])
def clear(state, runtime):
    return {"messages": [RemoveMessage(id=REMOVE_ALL_MESSAGES)], "jump_to": "end"}


model = Scripted(AIMessage("done"))
state = create_agent(model, middleware=[clear]).invoke({"messages": "hi"})
print("messages:", state["messages"], "model calls:", len(model.calls))

# Output:
# messages: [] model calls: 0
