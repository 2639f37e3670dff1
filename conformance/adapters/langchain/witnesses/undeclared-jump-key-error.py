"""A jump to a target that the hook does not declare, next to one that it declares, is a KeyError."""

from langchain.agents import create_agent
from langchain.agents.middleware import before_model
from langchain_core.messages import AIMessage
from langchain_core.tools import tool

from scripted import Scripted


@tool
def weather() -> str:
    """The weather."""
    return "sunny"


def to_end(state, runtime):
    return {"jump_to": "end"}


def to_tools(state, runtime):
    return {"jump_to": "tools"}


for declared, function in (None, to_end), (["model"], to_end), (["end"], to_tools):
    middleware = before_model(function, can_jump_to=declared)
    agent = create_agent(Scripted(AIMessage("done")), [weather], middleware=[middleware])
    try:
        print(declared, function.__name__, [message.text for message in agent.invoke({"messages": "hi"})["messages"]])
    except Exception as error:
        print(declared, function.__name__, repr(error))

# Output:
# None to_end ['hi', 'done']
# ['model'] to_end KeyError('__end__')
# ['end'] to_tools KeyError('tools')
