"""A run is saved at each step, in a folder, and continues from each of its checkpoints."""

from __future__ import annotations

import fcntl
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from loopspec_reference import (
    Agent,
    AgentTool,
    CheckpointError,
    CheckpointFolder,
    Event,
    InterruptRun,
    Message,
    ModelRequest,
    ToolCall,
    ToolContext,
)
from loopspec_reference.runs.checkpoints import Checkpoint

from ..doubles import QUESTION, Function, asks, drain, texts_of


class Script:
    """A model without a position of its own: the number of answers in the request says which one is next."""

    def __init__(self, *answers: Message) -> None:
        self._answers = answers

    async def generate(self, request: ModelRequest[Message]) -> Message:
        """Return the next answer."""
        return self._answers[sum(message.role == "assistant" for message in request.messages)]

    async def stream(self, request: ModelRequest[Message]) -> AsyncIterator[Message]:
        """Yield the next answer."""
        yield await self.generate(request)


def _two_agents(journal: list[str]) -> Agent[Message]:
    """An agent that calls two tools at once, then a sub-agent with two calls one after the other, and then answers."""

    def tool(name: str) -> Function:
        async def does(context: ToolContext, arguments: str) -> str:
            journal.append(context.call_id)
            return name

        return Function(name, does)

    helper = Agent(
        name="helper",
        description="Helps.",
        model=Script(asks("inner"), Message.assistant("", [ToolCall("again", "inner")]), Message.assistant("helped")),
        message_type=Message,
        tools=[tool("inner")],
    )
    asked = Message.assistant("", [ToolCall("call-helper", "helper", '{"request": "Help."}')])
    model = Script(asks("one", "two"), asked, asks("one"), Message.assistant("done"))
    return Agent(name="agent", model=model, message_type=Message, tools=[tool("one"), tool("two"), AgentTool(helper)])


def _ends(events: AsyncIterator[Event]) -> str:
    return texts_of(drain(events))[-1]


def test_a_run_continues_from_each_of_its_checkpoints_and_repeats_no_finished_call() -> None:
    """Also in the middle of two calls, and of a sub-agent. Calls before and after the checkpoint are each made once."""
    journal: list[str] = []
    saved: list[tuple[bytes, tuple[str, ...]]] = []
    whole = _ends(_two_agents(journal).run([QUESTION], save=lambda one: saved.append((one, tuple(journal)))))

    assert journal == ["call-one", "call-two", "call-inner", "again", "call-one"]
    assert len(saved) == 18  # four and three model calls, three and two answers with calls, four and two tool calls
    for checkpoint, before in saved:
        after: list[str] = []
        assert _ends(_two_agents(after).resume(checkpoint)) == whole == "done"
        # two calls at once: the first is saved while the second is under way
        assert sorted([*before, *after]) in (sorted(journal), sorted([*journal, "call-two"]))


def test_a_stopped_run_is_saved() -> None:
    """The checkpoint of an interrupt is the one with which the event comes."""
    saved: list[bytes] = []

    async def asks_a_person(context: ToolContext, arguments: str) -> str:
        raise InterruptRun("Sure?", 1)

    stopping = Agent(
        name="agent", model=Script(asks("ask")), message_type=Message, tools=[Function("ask", asks_a_person)]
    )
    last = drain(stopping.run([QUESTION], save=saved.append))[-1]

    assert saved[-1] == getattr(last, "checkpoint", None)


def test_a_folder_keeps_the_last_checkpoint_until_the_run_has_ended(tmp_path: Path) -> None:
    """Each run has one file, whatever its name."""
    folder = CheckpointFolder(tmp_path / "runs")
    for name in ("a", "../a", "a b.c"):
        with folder.run(name) as run:
            assert run.checkpoint is None
            run.save(b"first")
            run.save(name.encode())
        with folder.run(name) as run:
            assert run.checkpoint == name.encode()
            run.ended()
        with folder.run(name) as run:
            assert run.checkpoint is None

    assert sorted(path.name for path in tmp_path.iterdir()) == ["runs"]


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda whole: whole[:-1], "is damaged"),
        (lambda whole: whole[: len(whole) // 2], "is damaged"),
        (lambda whole: whole.replace(b"kept", b"lost"), "is damaged"),
        (lambda whole: b"", "is no checkpoint"),
        (lambda whole: b'{"phase": "model"}', "is no checkpoint"),
        (lambda whole: whole.replace(b" 1 ", b" 2 ", 1), "another version"),
        (lambda whole: whole.replace(b" 1 ", b" 0 ", 1), "another version"),
    ],
)
def test_a_file_that_is_no_whole_checkpoint_of_this_version_is_refused(
    damage: Callable[[bytes], bytes], says: str, tmp_path: Path
) -> None:
    """The error names the file, and what to do."""
    folder = CheckpointFolder(tmp_path)
    with folder.run("a") as run:
        run.save(b"kept")
    (file,) = tmp_path.glob("*.checkpoint")
    file.write_bytes(damage(file.read_bytes()))

    with pytest.raises(CheckpointError, match=says) as raised, folder.run("a"):
        pass

    assert str(file) in str(raised.value)


def test_a_process_that_dies_while_it_saves_leaves_the_checkpoint_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the new file is whole, the old one is in its place."""
    folder = CheckpointFolder(tmp_path)

    def dies(descriptor: int) -> None:
        raise KeyboardInterrupt

    with folder.run("a") as run:
        run.save(b"old")
        monkeypatch.setattr(os, "fsync", dies)
        with pytest.raises(KeyboardInterrupt):
            run.save(b"new")

    with folder.run("a") as run:
        assert run.checkpoint == b"old"


def test_a_run_is_held_by_one_process(tmp_path: Path) -> None:
    """Another process that holds the lock is named in the error; a process that died holds nothing."""
    folder = CheckpointFolder(tmp_path)
    with folder.run("a"), pytest.raises(CheckpointError, match="another process"), folder.run("a"):
        pass

    with (tmp_path / "a.lock").open("wb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(CheckpointError, match="another process"), folder.run("a"):
            pass
    with folder.run("a"):
        pass


def test_an_agent_without_save_makes_no_checkpoints(monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkpoint encodes the whole conversation, which a run that is not saved does not need."""
    monkeypatch.setattr(Checkpoint, "of", None)
    assert texts_of(drain(_two_agents([]).run([QUESTION])))[-1] == "done"
