"""The loop: a model calls a tool, receives its result, and answers. The events are printed as they are emitted.

Run it:

    python examples/loop.py
"""

import asyncio

from loopspec_reference import Agent, Message, ToolCall, ToolContext, ToolInfo, ToolRequest
from printing import print_event
from scripted import ScriptedModel


class Weather:
    """A tool without arguments."""

    info = ToolInfo("weather", "Returns the weather of today.")

    async def invoke(self, context: ToolContext, request: ToolRequest[str]) -> str:
        """Return the weather."""
        return "12 degrees and rain"


async def main() -> None:
    """Run the agent once."""
    model = ScriptedModel(
        Message.assistant("", [ToolCall("call-1", "weather")]),
        Message.assistant("Yes, take an umbrella."),
    )
    agent = Agent(name="assistant", model=model, message_type=Message, tools=[Weather()])
    async for event in agent.run([Message.user("Do I need an umbrella?")]):
        print_event(event)


if __name__ == "__main__":
    asyncio.run(main())
