"""With max_concurrency=1, the second call of an answer still sees the state from before the first one."""

from typing import Annotated

from langchain.agents import AgentState, create_agent
from langchain.tools import InjectedState, InjectedToolCallId
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.types import Command

from scripted import Scripted, call


class Counted(AgentState):
    seen: int


@tool
def first(state: Annotated[dict, InjectedState], call_id: Annotated[str, InjectedToolCallId]) -> Command:
    """Set a field of the state."""
    print("the first call sees", state.get("seen"))
    return Command(update={"seen": 1, "messages": [ToolMessage("ok", tool_call_id=call_id)]})


@tool
def second(state: Annotated[dict, InjectedState]) -> str:
    """Look at the state."""
    print("the second call sees", state.get("seen"))
    return "ok"


model = Scripted(AIMessage("", tool_calls=[call("first"), call("second")]), AIMessage("done"))
agent = create_agent(model, [first, second], state_schema=Counted)
print("after the step:", agent.invoke({"messages": "Hello."}, {"max_concurrency": 1})["seen"])

# Output:
# the first call sees None
# the second call sees None
# after the step: 1
