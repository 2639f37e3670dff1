"""The updates of a sub-agent go to `stream_callback`, and are not among the updates of the outer run."""

import asyncio

from agent_framework import Agent, AgentResponseUpdate

from scripted import Scripted, calls, says


async def callback(update: AgentResponseUpdate) -> None:
    if update.text:
        print("callback:", update.text)


async def main() -> None:
    tool = Agent(Scripted(says("It is sunny.")), name="helper").as_tool(stream_callback=callback)
    model = Scripted(calls("helper", text="I ask.", task="the weather"), says("Sunny."))
    async for update in Agent(model, tools=[tool]).run("hi", stream=True):
        if update.text:
            print("update of the run:", update.role, update.text)


asyncio.run(main())

# Output:
# update of the run: assistant I ask.
# callback: It is sunny.
# update of the run: assistant Sunny.
