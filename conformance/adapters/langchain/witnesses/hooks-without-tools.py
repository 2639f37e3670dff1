"""A before-agent hook receives neither the tools nor the system prompt, and an update with them changes nothing."""

from langchain.agents import create_agent
from langchain.agents.middleware import before_agent, wrap_model_call
from langchain_core.messages import AIMessage, SystemMessage
from langchain_core.tools import tool

from scripted import Scripted


@tool
def weather() -> str:
    """The weather."""
    return "sunny"


@tool
def search() -> str:
    """Search."""
    return "a result"


@before_agent
def in_state(state, runtime):
    print("state:", sorted(state))
    return {"tools": [search], "system_prompt": "Be brief."}


@wrap_model_call
def in_request(request, handler):
    return handler(request.override(tools=[search], system_message=SystemMessage("Be brief.")))


for middleware in in_state, in_request:
    model = Scripted(AIMessage("done"))
    create_agent(model, [weather, search], middleware=[middleware]).invoke({"messages": "hi"})
    print("tools:", model.tools, "messages:", [message.text for message in model.calls[0]])

# Output:
# state: ['messages']
# tools: [['weather', 'search']] messages: ['hi']
# tools: [['search']] messages: ['Be brief.', 'hi']
