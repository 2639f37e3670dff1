"""The stream has the chunks of a failed attempt, an event with the delay, and the chunks of the next attempt."""

import asyncio
from typing import Any

from strands import Agent, ModelRetryStrategy
from strands.types.exceptions import ModelThrottledException

from scripted import Scripted


class Breaking(Scripted):
    async def stream(self, *args: Any, **kwargs: Any) -> Any:
        async for event in super().stream(*args, **kwargs):
            yield event
            if "contentBlockDelta" in event and len(self.requests) == 1:
                raise ModelThrottledException("gone")


async def main() -> None:
    retries = ModelRetryStrategy(max_attempts=2, initial_delay=0)
    agent = Agent(model=Breaking("Good", "Hello"), retry_strategy=retries, callback_handler=None)
    async for event in agent.stream_async("Hi"):
        if shown := [key for key in event if key in ("data", "event_loop_throttled_delay", "force_stop")]:
            print(*shown, *(event[key] for key in shown))


asyncio.run(main())

# Output:
# data Good
# event_loop_throttled_delay 0
# data Hello
