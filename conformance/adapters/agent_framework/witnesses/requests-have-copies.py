"""A message that a chat middleware adds after a model call is not in the next request of the run."""

import asyncio
from collections.abc import Awaitable, Callable

from agent_framework import Agent, ChatContext, Message, chat_middleware, tool

from scripted import Scripted, calls, says, shown


@tool
def weather() -> str:
    """Return the weather."""
    return "sunny"


@chat_middleware
async def be_brief(context: ChatContext, call_next: Callable[[], Awaitable[None]]) -> None:
    await call_next()
    context.messages.insert(0, Message("user", ["Be brief."]))


model = Scripted(calls("weather"), says("done"))
asyncio.run(Agent(model, tools=[weather], middleware=[be_brief]).run("hi"))

print("request 2:", shown(model.requests[1]))

# Output:
# request 2: [('user', 'hi'), ('assistant', 'weather()'), ('tool', 'sunny')]
