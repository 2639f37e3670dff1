"""A chat middleware empties the tools after a model call: the call of the answer does not run, and the run ends."""

import asyncio
from collections.abc import Awaitable, Callable

from agent_framework import Agent, ChatContext, chat_middleware, tool

from scripted import Scripted, calls, says, shown


@tool
def weather() -> str:
    """Return the weather."""
    return "sunny"


async def run(*left: object) -> None:
    @chat_middleware
    async def leave(context: ChatContext, call_next: Callable[[], Awaitable[None]]) -> None:
        await call_next()
        context.options["tools"] = list(left)

    model = Scripted(calls("weather"), says("done"))
    response = await Agent(model, tools=[weather], middleware=[leave]).run("hi")
    print(f"{len(left)} tools left, {len(model.requests)} model calls:", shown(response.messages))


asyncio.run(run())
asyncio.run(run(weather))

# Output:
# 0 tools left, 1 model calls: [('assistant', 'weather()')]
# 1 tools left, 2 model calls: [('assistant', 'weather()'), ('tool', 'sunny'), ('assistant', 'done')]
