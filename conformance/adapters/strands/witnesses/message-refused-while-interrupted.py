"""A session keeps an interrupt: the next agent of the session takes the response to it, and no message of the user."""

from typing import Any

from strands import Agent, ToolContext, tool
from strands.session import SnapshotSessionManager
from strands.storage import InMemoryStorage

from scripted import Scripted, call, shown


@tool(context=True)
def ask(tool_context: ToolContext) -> str:
    return tool_context.interrupt("approval")


def agent_of(model: Scripted, storage: InMemoryStorage) -> Agent:
    session = SnapshotSessionManager("session", storage=storage)
    return Agent(model=model, tools=[ask], callback_handler=None, session_manager=session)


def go_on(prompt: Any, storage: InMemoryStorage) -> None:
    model = Scripted("done")
    try:
        agent_of(model, storage)(prompt)
        print(*shown(model.requests[0]))
    except TypeError as error:
        print("TypeError:", str(error).partition(" | ")[2])


stored = InMemoryStorage()
(interrupt,) = agent_of(Scripted([call("ask")]), stored)("Hi").interrupts
go_on("Never mind.", stored)
go_on([{"interruptResponse": {"interruptId": interrupt.id, "response": "yes"}}], stored)

# Output:
# TypeError: must resume from interrupt with list of interruptResponse's
# user: 'Hi' assistant: ask() user: ask -> 'yes'
