"""A tool of your own with arguments. The model receives a JSON Schema; the tool checks what the model sends.

Run it:

    python examples/tool.py
"""

import asyncio
from typing import Literal

import msgspec

from loopspec_reference import Agent, Message, ToolCall, ToolContext, ToolInfo, ToolRequest
from printing import print_event
from scripted import ScriptedModel

KILOMETERS_PER_MILE = 1.609344


class Distance(msgspec.Struct):
    """The arguments of the tool."""

    amount: float
    unit: Literal["miles", "kilometers"]


class ConvertDistance:
    """Converts a distance to the other unit."""

    info = ToolInfo(
        "convert_distance",
        "Converts miles to kilometers, or kilometers to miles.",
        {
            "type": "object",
            "properties": {
                "amount": {"type": "number"},
                "unit": {"type": "string", "enum": ["miles", "kilometers"], "description": "The unit of the amount."},
            },
            "required": ["amount", "unit"],
        },
    )

    async def invoke(self, context: ToolContext, request: ToolRequest[str]) -> str:
        """Return the converted distance. For wrong arguments, return a text that lets the model correct them.

        `request.arguments` is the text that the model produced, unchecked. An exception would end the run.
        """
        try:
            distance = msgspec.json.decode(request.arguments, type=Distance)
        except msgspec.DecodeError as error:
            return f"The arguments are wrong: {error}"
        if distance.unit == "miles":
            return f"{distance.amount * KILOMETERS_PER_MILE:.1f} kilometers"
        return f"{distance.amount / KILOMETERS_PER_MILE:.1f} miles"


async def main() -> None:
    """Run an agent whose model makes a mistake and corrects it."""
    model = ScriptedModel(
        Message.assistant("", [ToolCall("call-1", "convert_distance", '{"amount": "26.2", "unit": "miles"}')]),
        Message.assistant("", [ToolCall("call-2", "convert_distance", '{"amount": 26.2, "unit": "miles"}')]),
        Message.assistant("A marathon is 42.2 kilometers long."),
    )
    agent = Agent(name="assistant", model=model, message_type=Message, tools=[ConvertDistance()])
    async for event in agent.run([Message.user("How many kilometers are 26.2 miles?")]):
        print_event(event)


if __name__ == "__main__":
    asyncio.run(main())
