"""A context is checked only if the caller passes one: without it, the hooks receive None and the model is called."""

from langchain.agents import create_agent
from langchain.agents.middleware import before_agent
from langchain_core.messages import AIMessage
from pydantic import BaseModel

from scripted import Scripted


class Context(BaseModel):
    user: str


@before_agent
def watch(state, runtime):
    print("before agent", runtime.context)


for context in {}, None:
    model = Scripted(AIMessage("done"))
    agent = create_agent(model, middleware=[watch], context_schema=Context)
    try:
        agent.invoke({"messages": "hi"}, context=context)
    except Exception as error:
        print(type(error).__name__)
    print("context:", context, "model calls:", len(model.calls))

# Output:
# ValidationError
# context: {} model calls: 0
# before agent None
# context: None model calls: 1
