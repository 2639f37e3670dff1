"""An event that `before_run` emits is in the stream of the run, and an event that `after_run` emits is not."""

import asyncio
from dataclasses import dataclass

from pydantic_ai import Agent, CustomEvent
from pydantic_ai.capabilities import Hooks
from pydantic_ai.models.test import TestModel

hooks = Hooks()


@dataclass(kw_only=True)
class Note(CustomEvent):
    text: str


@hooks.on.before_run
async def hello(ctx):
    await ctx.emit(Note(text="hello"))


@hooks.on.after_run
async def goodbye(ctx, *, result):
    print("after_run emits: goodbye")
    await ctx.emit(Note(text="goodbye"))
    return result


async def main() -> None:
    async with Agent(TestModel(), capabilities=[hooks]).run_stream_events("hi") as events:
        print("events:", [event.text async for event in events if isinstance(event, Note)])


asyncio.run(main())

# Output:
# after_run emits: goodbye
# events: ['hello']
