"""The results of an answer have the order in which its calls end, in the events and in the next request."""

import asyncio

from llama_index.core.agent.workflow import FunctionAgent, ToolCallResult

from scripted import REQUESTS, calls, model


async def slow() -> str:
    """Return late."""
    await asyncio.sleep(0.2)
    return "late"


async def fast() -> str:
    """Return at once."""
    return "early"


async def main() -> None:
    agent = FunctionAgent(tools=[slow, fast], llm=model(calls("slow", "fast"), "done"), streaming=False)
    handler = agent.run(user_msg="Go.")
    async for event in handler.stream_events():
        if isinstance(event, ToolCallResult):
            print("event:", event.tool_id, event.tool_output.content)
    print("request:", REQUESTS[1])


asyncio.run(main())

# Output:
# event: call 2 early
# event: call 1 late
# request: ['user: Go.', 'assistant: a tool call', 'tool: early', 'tool: late']
