"""Two calls of one tool with the same arguments ask their caller: their events are equal, and name no call."""

import asyncio

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.workflow import Context, HumanResponseEvent, InputRequiredEvent

from scripted import calls, model


async def delete(ctx: Context, path: str) -> str:
    """Delete a file."""
    asked = InputRequiredEvent(prefix=f"Delete {path}?")
    return (await ctx.wait_for_event(HumanResponseEvent, asked)).response


async def main() -> None:
    agent = FunctionAgent(tools=[delete], llm=model(calls("delete", "delete", path="a"), "done"), streaming=False)
    handler, asked = agent.run(user_msg="Go."), []
    async for event in handler.stream_events():
        if isinstance(event, InputRequiredEvent):
            asked.append(dict(event.items()))
        if len(asked) == 2:
            break
    print(asked, asked[0] == asked[1])
    await handler.cancel_run()


asyncio.run(main())

# Output:
# [{'prefix': 'Delete a?'}, {'prefix': 'Delete a?'}] True
