"""A state field without a value is absent, also if the state schema is a pydantic model with a default."""

from typing import NotRequired

from langchain.agents import AgentState, create_agent
from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import AIMessage
from pydantic import BaseModel

from scripted import Scripted


class Plain(AgentState):
    city: NotRequired[str]


class WithDefault(BaseModel):
    city: str = "Ulm"


class Watch(AgentMiddleware):
    def before_agent(self, state, runtime):
        print(self.state_schema.__name__, state.get("city", "absent"))


for schema in Plain, WithDefault:
    watch = Watch()
    watch.state_schema = schema
    agent = create_agent(Scripted(AIMessage("done"), AIMessage("done")), middleware=[watch])
    agent.invoke({"messages": "hi"})
    agent.invoke({"messages": "hi", "city": "Bonn"})

# Output:
# Plain absent
# Plain Bonn
# WithDefault absent
# WithDefault Bonn
