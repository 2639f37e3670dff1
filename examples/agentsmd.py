"""AgentsMD on a real folder: prints what the model receives of `Agents.md` and of the files that it imports.

Run it:

    python examples/agentsmd.py FOLDER
"""

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path

from loopspec_reference import Agent, ErrorEvent, LocalBackend, Message, ModelRequest
from loopspec_reference.agentsmd import AgentsMD, Config, LoadWarning


class PrintingModel:
    """Prints each message that it receives."""

    async def generate(self, request: ModelRequest[Message]) -> Message:
        """Print the conversation, and answer."""
        for message in request.messages:
            print(f"-- {message.role}\n{message.text}")
        return Message.assistant("Understood.")

    async def stream(self, request: ModelRequest[Message]) -> AsyncIterator[Message]:
        """Yield the answer as a single chunk."""
        yield await self.generate(request)


def print_warning(warning: LoadWarning) -> None:
    """Print why a file is left out."""
    print(f"-- warning\n{warning.path}: {warning.reason}")


async def main(folder: Path) -> None:
    """Run the agent once. The backend reads nothing outside the folder."""
    config = Config(backend=LocalBackend(folder), files=["Agents.md"], on_warning=print_warning)
    agent = Agent(
        name="assistant",
        model=PrintingModel(),
        message_type=Message,
        instruction="You help with this project.",
        handlers=[AgentsMD(config, Message)],
    )
    async for event in agent.run([Message.user("What do I have to know?")]):
        if isinstance(event, ErrorEvent):
            sys.exit(f"The run has failed: {event.error}")


if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_dir():
        sys.exit("usage: agentsmd.py FOLDER, a folder with an Agents.md")
    asyncio.run(main(Path(sys.argv[1])))
