"""A chat middleware changes the answer: the response of a streaming run has the change only if updates are buffered."""

import asyncio
from collections.abc import Awaitable, Callable

from agent_framework import Agent, ChatContext, ChatResponse, chat_middleware

from scripted import Scripted, says


@chat_middleware
async def change(context: ChatContext, call_next: Callable[[], Awaitable[None]]) -> None:
    context.stream_result_hooks.append(lambda response: ChatResponse(messages=says("changed")))
    await call_next()
    if not context.stream:
        context.result = ChatResponse(messages=says("changed"))


@chat_middleware
async def buffer(context: ChatContext, call_next: Callable[[], Awaitable[None]]) -> None:
    context.stream_buffer_updates = True
    context.stream_result_to_updates = ChatResponse.to_updates
    await call_next()


async def main() -> None:
    agent = Agent(Scripted(says("plain"), says("plain"), says("plain")), middleware=[change])
    print("run:", (await agent.run("hi")).text)
    print("streaming run:", (await agent.run("hi", stream=True).get_final_response()).text)
    stream = agent.run("hi", stream=True, middleware=[buffer])
    print("streaming run, buffered:", (await stream.get_final_response()).text)


asyncio.run(main())

# Output:
# run: changed
# streaming run: plain
# streaming run, buffered: changed
