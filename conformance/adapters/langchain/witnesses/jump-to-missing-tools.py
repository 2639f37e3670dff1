"""An agent without tools cannot be built if a hook may jump to the tools."""

from langchain.agents import create_agent
from langchain.agents.middleware import before_model
from langchain_core.messages import AIMessage
from langchain_core.tools import tool

from scripted import Scripted


@tool
def weather() -> str:
    """The weather."""
    return "sunny"


@before_model(can_jump_to=["tools"])
def pilot(state, runtime):
    """Never jumps."""


for tools in [weather], []:
    try:
        agent = create_agent(Scripted(AIMessage("done")), tools, middleware=[pilot])
        print(agent.invoke({"messages": "hi"})["messages"][-1].text)
    except ValueError as error:
        print("ValueError:", error)

# Output:
# done
# ValueError: At 'pilot.before_model' node, 'jump_edge' branch found unknown target 'tools'
