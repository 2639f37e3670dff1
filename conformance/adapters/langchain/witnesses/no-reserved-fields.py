"""The state of a middleware may have the fields `messages` and `tools`; the agent keeps its own `messages`."""

from typing import Any, NotRequired

from langchain.agents import create_agent
from langchain.agents.middleware import before_model
from langchain_core.messages import AIMessage
from typing_extensions import TypedDict

from scripted import Scripted


class OwnState(TypedDict):
    messages: list[Any]
    tools: NotRequired[list[Any]]


@before_model(state_schema=OwnState)
def own(state, runtime):
    return {"messages": ["more"], "tools": ["anything"]}


state = create_agent(Scripted(AIMessage("done")), middleware=[own]).invoke({"messages": "hi"})
print([(message.type, message.text) for message in state["messages"]], state["tools"])

# Output:
# [('human', 'hi'), ('human', 'more'), ('ai', 'done')] ['anything']
