"""The stream has the results of all calls of an answer as one message, once the last tool has returned."""

import asyncio

from strands import Agent, tool

from scripted import Scripted, call, shown


@tool
async def slow() -> str:
    await asyncio.sleep(0.1)
    print("slow has returned")
    return "late"


@tool
async def fast() -> str:
    print("fast has returned")
    return "early"


async def main() -> None:
    model = Scripted([call("slow"), call("fast")], "done")
    agent = Agent(model=model, tools=[slow, fast], callback_handler=None)
    async for event in agent.stream_async("Hi"):
        if "message" in event:
            print(shown([event["message"]]))


asyncio.run(main())

# Output:
# ['assistant: slow()', 'assistant: fast()']
# fast has returned
# slow has returned
# ["user: slow -> 'late'", "user: fast -> 'early'"]
# ["assistant: 'done'"]
