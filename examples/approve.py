"""A person decides about a tool call: the run stops before the call, and is resumed with the decision.

Run it:

    python examples/approve.py
"""

import asyncio

from loopspec_reference import (
    Agent,
    Approvals,
    InterruptEvent,
    Message,
    ToolCall,
    ToolContext,
    ToolInfo,
    ToolRequest,
)
from printing import print_event
from scripted import ScriptedModel


class Delete:
    """Must not be called without a person's approval."""

    info = ToolInfo("delete", "Deletes a file.")

    async def invoke(self, context: ToolContext, request: ToolRequest[str]) -> str:
        """Delete the file that the arguments name."""
        return f"deleted {request.arguments}"


async def main() -> None:
    """Stop at two calls, deny one of them, and approve the other with another file."""
    model = ScriptedModel(
        Message.assistant("", [ToolCall("call-1", "delete", "notes.md"), ToolCall("call-2", "delete", "*")]),
        Message.assistant("I deleted the old notes."),
    )
    agent = Agent(name="assistant", model=model, message_type=Message, tools=[Delete()], handlers=[Approvals("delete")])
    async for event in agent.run([Message.user("Tidy up.")]):
        print_event(event)
        if isinstance(event, InterruptEvent):
            checkpoint = event.checkpoint

    print("-- a person has decided")
    decisions = {
        "call-1": {"approved": True, "arguments": "old notes.md"},
        "call-2": {"approved": False, "reason": "never delete everything"},
    }
    async for event in agent.resume(checkpoint, decisions):
        print_event(event)


if __name__ == "__main__":
    asyncio.run(main())
