"""A run ends without an error if a chat middleware removes all messages of the answer."""

import asyncio
from collections.abc import Awaitable, Callable

from agent_framework import Agent, ChatContext, chat_middleware

from scripted import Scripted, says


@chat_middleware
async def remove(context: ChatContext, call_next: Callable[[], Awaitable[None]]) -> None:
    await call_next()
    context.result.messages.clear()


response = asyncio.run(Agent(Scripted(says("done")), middleware=[remove]).run("hi"))

print("messages:", response.messages, "text:", repr(response.text))

# Output:
# messages: [] text: ''
