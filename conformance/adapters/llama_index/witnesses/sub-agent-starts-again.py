"""A context that is stored while a tool runs an agent has no state of this agent: it starts again."""

import asyncio

from llama_index.core.agent.workflow import FunctionAgent, ToolCallResult
from llama_index.core.workflow import Context
from workflows.context import PickleSerializer

from scripted import REQUESTS, calls, model, weather

llm = model(calls("weather"), "sunny", calls("weather"), "sunny")
helper = FunctionAgent(tools=[weather], llm=llm, streaming=False)


async def ask(ctx: Context, request: str) -> str:
    """Ask the helper, and report that its tool has returned."""
    running = helper.run(user_msg=request)
    async for event in running.stream_events():
        if isinstance(event, ToolCallResult):
            ctx.write_event_to_stream(event)
    return str(await running)


async def main() -> None:
    agent = FunctionAgent(tools=[ask], llm=model(calls("ask", request="Help."), "done"), streaming=False)
    handler = agent.run(user_msg="Go.")
    async for event in handler.stream_events():
        if isinstance(event, ToolCallResult):
            stored = handler.ctx.to_dict(PickleSerializer())
            await handler.cancel_run()
            break
    print("resumed")
    await agent.run(ctx=Context.from_dict(agent, stored, PickleSerializer()))
    print("first model calls of the helper:", REQUESTS.count(["user: Help."]))


asyncio.run(main())

# Output:
# called: weather
# resumed
# called: weather
# first model calls of the helper: 2
