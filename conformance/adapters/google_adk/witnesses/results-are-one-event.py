"""The results of parallel tool calls are one event after all of them, in the order of the calls."""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.runners import InMemoryRunner

from scripted import Scripted, call, shown

fast_has_ended = asyncio.Event()


async def slow() -> str:
    await fast_has_ended.wait()
    print("slow ends")
    return "one"


async def fast() -> str:
    print("fast ends")
    fast_has_ended.set()
    return "two"


async def main() -> None:
    agent = LlmAgent(name="agent", model=Scripted([call("slow"), call("fast")], "done"), tools=[slow, fast])
    events = await InMemoryRunner(agent=agent).run_debug("hi", quiet=True)
    for event in events:
        print("event:", shown([event.content]))


asyncio.run(main())

# Output:
# fast ends
# slow ends
# event: ['model: slow()', 'model: fast()']
# event: ["user: slow -> {'result': 'one'}", "user: fast -> {'result': 'two'}"]
# event: ["model: 'done'"]
