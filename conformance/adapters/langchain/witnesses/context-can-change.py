"""All hooks of a run receive the same context object; one hook can change it for the next, unless it is frozen."""

from dataclasses import dataclass

from langchain.agents import create_agent
from langchain.agents.middleware import before_agent, before_model
from langchain_core.messages import AIMessage

from scripted import Scripted


@dataclass
class Open:
    user: str


@dataclass(frozen=True)
class Frozen:
    user: str


@before_agent
def change(state, runtime):
    runtime.context.user = "Eve"


@before_model
def watch(state, runtime):
    print("before model", runtime.context)


for schema in Open, Frozen:
    agent = create_agent(Scripted(AIMessage("done")), middleware=[change, watch], context_schema=schema)
    try:
        agent.invoke({"messages": "hi"}, context=schema("Ann"))
    except AttributeError as error:
        print(type(error).__name__)

# Output:
# before model Open(user='Eve')
# FrozenInstanceError
