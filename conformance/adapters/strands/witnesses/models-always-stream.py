"""An agent calls the method stream of its model, whether its caller streams the run or not."""

import asyncio
import inspect

from strands import Agent
from strands.models import Model

from scripted import Scripted


async def main() -> None:
    model = Scripted("one", "two")
    agent = Agent(model=model, callback_handler=None)
    await agent.invoke_async("Hi")
    print("stream is called:", len(model.requests))
    async for _ in agent.stream_async("Hi"):
        pass
    print("stream is called:", len(model.requests))


asyncio.run(main())
print(*sorted(name for name in Model.__abstractmethods__ if inspect.isfunction(getattr(Model, name))))

# Output:
# stream is called: 1
# stream is called: 2
# get_config stream structured_output update_config
