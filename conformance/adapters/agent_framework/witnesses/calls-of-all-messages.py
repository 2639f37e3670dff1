"""The tool calls of an answer run although a chat middleware adds a message without tool calls after the answer."""

import asyncio
from collections.abc import Awaitable, Callable

from agent_framework import Agent, ChatContext, Message, chat_middleware, tool

from scripted import Scripted, calls, says, shown


@tool
def weather() -> str:
    """Return the weather."""
    return "sunny"


@chat_middleware
async def add(context: ChatContext, call_next: Callable[[], Awaitable[None]]) -> None:
    await call_next()
    if len(model.requests) == 1:
        context.result.messages.append(Message("assistant", ["That is all."]))


model = Scripted(calls("weather"), says("done"))
response = asyncio.run(Agent(model, tools=[weather], middleware=[add]).run("hi"))

print("model calls:", len(model.requests))
for message in shown(response.messages):
    print(*message)

# Output:
# model calls: 2
# assistant weather()
# assistant That is all.
# tool sunny
# assistant done
