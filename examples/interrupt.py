"""A tool interrupts a run to ask for permission. A second process resumes the run from a file, with the answer.

Run it twice:

    python examples/interrupt.py ask FILE
    python examples/interrupt.py answer FILE yes
"""

import asyncio
import sys
from pathlib import Path

import msgspec

from loopspec_reference import (
    Agent,
    ErrorEvent,
    Interrupt,
    InterruptEvent,
    InterruptRun,
    Message,
    ToolCall,
    ToolContext,
    ToolInfo,
    ToolRequest,
)
from printing import print_event
from scripted import ScriptedModel

USAGE = "usage: interrupt.py ask FILE, then interrupt.py answer FILE yes|no"


class Interrupted(msgspec.Struct):
    """The content of the file: the open questions, and the bytes from which the run can be resumed."""

    interrupts: tuple[Interrupt, ...]
    checkpoint: bytes


class DeleteBackups:
    """Asks for permission first. The example deletes nothing."""

    info = ToolInfo("delete_backups", "Deletes all backups.")

    async def invoke(self, context: ToolContext, request: ToolRequest[str]) -> str:
        """Interrupt the run in the first call. Return the result in the call that the resumption repeats."""
        answer = context.resumed.data if context.resumed else None
        if answer is None:
            raise InterruptRun("Delete all backups?")
        return "deleted" if answer == "yes" else "the user refused"


def build_agent() -> Agent[Message]:
    """Return the agent. Both processes build the same one: a checkpoint holds the run and not the agent."""
    model = ScriptedModel(
        Message.assistant("", [ToolCall("call-1", "delete_backups")]),
        Message.assistant("Nothing else is to be done."),
    )
    return Agent(name="assistant", model=model, message_type=Message, tools=[DeleteBackups()])


async def ask(file: Path) -> None:
    """Start the run and write the file when the run is interrupted."""
    async for event in build_agent().run([Message.user("Make some room on the disk.")]):
        print_event(event)
        if isinstance(event, InterruptEvent):
            file.write_bytes(msgspec.json.encode(Interrupted(event.interrupts, event.checkpoint)))


async def answer(file: Path, text: str) -> None:
    """Resume the run with the same answer to each question. Delete the file unless the run fails."""
    interrupted = msgspec.json.decode(file.read_bytes(), type=Interrupted)
    answers = {interrupt.call_id: text for interrupt in interrupted.interrupts}
    async for event in build_agent().resume(interrupted.checkpoint, answers):
        if isinstance(event, ErrorEvent):
            sys.exit(f"The run has failed: {event.error}")
        print_event(event)
    file.unlink()


if __name__ == "__main__":
    try:
        match sys.argv[1:]:
            case ["ask", path]:
                asyncio.run(ask(Path(path)))
            case ["answer", path, "yes" | "no" as reply]:
                asyncio.run(answer(Path(path), reply))
            case _:
                sys.exit(USAGE)
    except OSError as error:
        sys.exit(f"The file cannot be used: {error}")
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        sys.exit(f"The file does not hold an interrupted run: {error}")
