"""A run is stopped while its tool works. The next run of the conversation begins with what the first one has left.

Run it:

    python examples/stop.py
"""

import asyncio

from loopspec_reference import Agent, Canceller, Conversation, Message, ToolCall, ToolContext, ToolInfo, ToolRequest
from printing import print_event, print_message
from scripted import ScriptedModel


class Deploy:
    """Does not return before the run is stopped."""

    info = ToolInfo("deploy", "Deploys the service.")

    async def invoke(self, context: ToolContext, request: ToolRequest[str]) -> str:
        """Wait for ever."""
        return await asyncio.Future()


async def main() -> None:
    """Stop the first run at its tool call, and start a second one."""
    model = ScriptedModel(
        Message.assistant("", [ToolCall("call-1", "deploy")]), Message.assistant("Nothing was deployed.")
    )
    agent = Agent(name="assistant", model=model, message_type=Message, tools=[Deploy()])
    conversation, canceller = Conversation[Message](), Canceller()
    async for event in agent.run([Message.user("Deploy it.")], conversation=conversation, canceller=canceller):
        print_event(event)
        canceller.cancel()

    async for _ in agent.run([Message.user("Is it deployed?")], conversation=conversation):
        pass
    print("-- the conversation")
    for message in conversation.messages:
        print_message(message)


if __name__ == "__main__":
    asyncio.run(main())
