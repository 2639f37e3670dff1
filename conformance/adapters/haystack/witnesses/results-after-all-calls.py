"""In an asynchronous run, the streaming callback receives the results of an answer after all its calls have ended."""

import asyncio

from haystack.components.agents import Agent
from haystack.components.generators.chat import MockChatGenerator
from haystack.dataclasses import StreamingChunk
from haystack.tools import tool

from scripted import ASKED, calls


@tool
async def slow() -> str:
    """Wait."""
    await asyncio.sleep(0.2)
    print("slow ends")
    return "late"


@tool
async def fast() -> str:
    """Return at once."""
    print("fast ends")
    return "early"


async def receive(chunk: StreamingChunk) -> None:
    if chunk.tool_call_result:
        print("received:", chunk.tool_call_result.result)


agent = Agent(chat_generator=MockChatGenerator(responses=[calls("slow", "fast"), "done"]), tools=[slow, fast])
asyncio.run(agent.run_async(ASKED, streaming_callback=receive))

# Output:
# fast ends
# slow ends
# received: late
# received: early
