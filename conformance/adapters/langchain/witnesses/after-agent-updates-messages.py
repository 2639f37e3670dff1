"""An after-agent hook adds and replaces messages of the state that the run returns."""

from langchain.agents import create_agent
from langchain.agents.middleware import after_agent
from langchain_core.messages import AIMessage, HumanMessage

from scripted import Scripted


@after_agent
def add(state, runtime):
    return {"messages": [HumanMessage("More")]}


@after_agent
def replace(state, runtime):
    return {"messages": [AIMessage("No", id=state["messages"][-1].id)]}


for hook in add, replace:
    state = create_agent(Scripted(AIMessage("done")), middleware=[hook]).invoke({"messages": "hi"})
    print([(message.type, message.text) for message in state["messages"]])

# Output:
# [('human', 'hi'), ('ai', 'done'), ('human', 'More')]
# [('human', 'hi'), ('ai', 'No')]
