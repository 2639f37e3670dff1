"""A jump to an unknown target is ignored before the model, and is a KeyError after the model."""

from langchain.agents import create_agent
from langchain.agents.middleware import after_model, before_agent, before_model
from langchain_core.messages import AIMessage
from langchain_core.tools import tool

from scripted import Scripted


@tool
def weather() -> str:
    """The weather."""
    return "sunny"


def pilot(state, runtime):
    return {"jump_to": "nowhere"}


for hook in before_agent, before_model, after_model:
    middleware = hook(pilot, can_jump_to=["end", "nowhere"])
    agent = create_agent(Scripted(AIMessage("done")), [weather], middleware=[middleware])
    try:
        print(hook.__name__, [message.text for message in agent.invoke({"messages": "hi"})["messages"]])
    except Exception as error:
        print(hook.__name__, repr(error))

# Output:
# before_agent ['hi', 'done']
# before_model ['hi', 'done']
# after_model KeyError(None)
