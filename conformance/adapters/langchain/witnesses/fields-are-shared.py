"""State fields with one name are one field, and a hook updates also the fields that other middlewares declare."""

from typing import NotRequired

from langchain.agents import AgentState, create_agent
from langchain.agents.middleware import after_model, before_model
from langchain_core.messages import AIMessage

from scripted import Scripted


class First(AgentState):
    count: NotRequired[int]


class Second(AgentState):
    count: NotRequired[str]


@before_model(state_schema=First)
def first(state, runtime):
    return {"count": 1}


@before_model(state_schema=Second)
def second(state, runtime):
    print("second sees", state["count"])


@after_model
def third(state, runtime):
    return {"count": 9}


agent = create_agent(Scripted(AIMessage("done")), middleware=[first, second, third])
print("at the end", agent.invoke({"messages": "hi"})["count"])

# Output:
# second sees 1
# at the end 9
