"""`python -m tools.transcript`: write the transcript on the page of the protocol.

The harness talks to the reference in another process: one case of a loader, one of a workspace, and one of an agent.
"""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Callable
from unittest.mock import patch

from loopspec.contract.actions import AddContext, GetLocal, Insert, Script, SetLocal
from loopspec.contract.agents import Agent, Config, Model, Scripted, Tool, Turn
from loopspec.contract.around import Rewrite
from loopspec.contract.scene import File, Run, Scene
from loopspec.contract.values import Message, ToolCall
from loopspec.contract.workspaces import Entry, Workspace, sentinel
from loopspec.engine.perform import perform
from loopspec.targets.process.child import Child
from loopspec.targets.process.target import ProcessTarget

from .pages import ROOT, Block

BLOCK = Block(ROOT / "conformance/loopspec/protocol/README.md", "the conversation", "tools.transcript")
SERVED = f"{shlex.quote(sys.executable)} -m loopspec serve reference"

LOADER = Scene(
    act="load",
    files={"/p/agents.md": File(text="Be brief. @more.md")},
    instructions=Config(files=("/p/agents.md",), max_bytes=1000),
)
WORKSPACE = Scene(
    act="read workspace",
    workspace=Workspace(entries={"project/AGENTS.md": Entry(text=f"{sentinel('project/AGENTS.md')}\nBe brief.")}),
)
AGENT = Scene(
    act="run",
    agent=Agent(
        model=Model(
            name="m", turns=(Turn(tool_calls=(ToolCall(id="c1", name="t", args='{"x":1}'),)), Turn(text="done"))
        ),
        tools=(Tool(name="t", text="42", actions=(GetLocal(key="seen"),)),),
        handlers=(
            Scripted(
                name="H",
                scripts=(
                    Script(
                        hook="before model",
                        actions=(Insert(at=None, message=Message(role="user", content="And?")),),
                        calls=(1,),
                    ),
                    Script(
                        hook="around tool",
                        actions=(
                            SetLocal(key="seen", value=1),
                            AddContext(key="who", value="H"),
                            Rewrite(text='{"x":2}'),
                        ),
                    ),
                ),
            ),
        ),
    ),
    runs=(Run(id="1", messages=(Message(role="user", content="Hello."),)),),
)


def conversation(command: str, act: Callable[[ProcessTarget], None]) -> list[tuple[str, bytes]]:
    """The lines exchanged while a function uses a target: `H` or `A` for the sender, and the line.

    The first line and the last line are included.
    """
    lines: list[tuple[str, bytes]] = []
    send, receive = Child.send, Child.receive

    def sent(child: Child, line: bytes) -> None:
        lines.append(("H", line))
        send(child, line)

    def received(child: Child, timeout: float) -> bytes | None:
        line = receive(child, timeout)
        if line is not None:
            lines.append(("A", line))
        return line

    with patch.object(Child, "send", sent), patch.object(Child, "receive", received):
        target = ProcessTarget(command)
        try:
            act(target)
        finally:
            target.close()
    return lines


def transcript() -> str:
    """The transcript on the page, without parts that every message has, or that change daily."""

    def act(target: ProcessTarget) -> None:
        perform(target, LOADER, "loader")
        perform(target, WORKSPACE, "workspace")
        perform(target, AGENT, "agent")

    lines = [f"{who}> {_shown(line.decode())}" for who, line in conversation(SERVED, act)]
    return "\n".join(["```", *lines, "```\n"])


def _shown(line: str) -> str:
    line = line.replace('"jsonrpc":"2.0",', "")
    line = re.sub(r'"suite":{[^}]*}', '"suite":{…}', line)
    line = re.sub(r'("version":)"[^"]*"', r'\1"…"', line)
    line = re.sub(r'"[^"]*/loopspec-workspace-\w+', '"/workspace', line)
    return re.sub(r'("capabilities":\[("[^"]*",){2})[^\]]*\]', r"\1…]", line)


if __name__ == "__main__":
    BLOCK.write(transcript())
