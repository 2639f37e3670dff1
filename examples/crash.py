"""A process dies in the middle of a run, and another process continues: no finished tool call is made twice.

Run it:

    python examples/crash.py
"""

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from loopspec_reference import Agent, CheckpointFolder, Message, ToolCall, ToolContext, ToolInfo, ToolRequest
from printing import print_event
from scripted import ScriptedModel


class Step:
    """Writes that it works. The first time that it is asked to restart, its process dies."""

    info = ToolInfo("step", "Makes a step of the upgrade.")

    def __init__(self, folder: Path) -> None:
        self._marker = folder / "restarted"

    async def invoke(self, context: ToolContext, request: ToolRequest[str]) -> str:
        """Make the step that the arguments name."""
        print(f"-- {request.arguments} works", flush=True)
        if request.arguments == "restart" and not self._marker.exists():
            self._marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return "done"


async def go_on(folder: Path) -> None:
    """Start the run, or go on from its last checkpoint."""
    model = ScriptedModel(
        Message.assistant("", [ToolCall("call-1", "step", "backup")]),
        Message.assistant("", [ToolCall("call-2", "step", "restart")]),
        Message.assistant("The upgrade is complete."),
    )
    agent = Agent(name="assistant", model=model, message_type=Message, tools=[Step(folder)])
    with CheckpointFolder(folder).run("upgrade") as saved:
        if saved.checkpoint is None:
            events = agent.run([Message.user("Upgrade it.")], save=saved.save)
        else:
            events = agent.resume(saved.checkpoint, save=saved.save)
        async for event in events:
            print_event(event)
        saved.ended()


def main() -> None:
    """Start the process that dies, and then the one that continues."""
    with tempfile.TemporaryDirectory() as made:
        for _ in range(2):
            ended = subprocess.run([sys.executable, __file__, made], check=False)
            print(f"-- the process has ended with {ended.returncode}", flush=True)


if __name__ == "__main__":
    asyncio.run(go_on(Path(sys.argv[1]))) if len(sys.argv) > 1 else main()
