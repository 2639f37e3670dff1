"""The stage: files and their forms, language and runs."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from typing import cast

import msgspec
import pytest

from loopspec import Message, ReadRequest, ScriptedError
from loopspec.contract.agents import Agent, Model, Turn
from loopspec.contract.observation import Entry, Outside
from loopspec.contract.scene import Change, Fault, File, History, ReadForm, Run, Scene
from loopspec.contract.values import Began, Called, Error, FileData
from loopspec.engine.judge import judge
from loopspec.protocol.conversion import file_reply
from loopspec.protocol.messages import FileReply
from loopspec.specification.features import compiled
from loopspec.stage import LiveStage, environment, sessions
from loopspec.stage.environment import as_read, read_file
from loopspec.stage.record import _PARTS
from loopspec.targets.resolve import resolve

from ..staging import HELLO, ONE, sent, staged

A = ReadRequest(file_path="/p/a.md")


def test_files_change_at_their_gates() -> None:
    """Files are created, replaced and deleted at gates; a read returns the current content."""
    changes = (
        Change(at=Began(run="1"), path="/p/new.md", file=File(text="New.")),
        Change(at=Called(double="read /p/a.md", times=2), path="/p/a.md", file=File(text="B.")),
        Change(at=Called(double="read /p/a.md", times=3), path="/p/a.md"),
    )
    scene = Scene(act="run", files={"/p/a.md": File(text="A.")}, changes=changes, runs=(ONE,))

    async def steps(stage: LiveStage) -> None:
        with stage.runs.running(ONE):
            assert await stage.environment.read(ReadRequest(file_path="/p/new.md")) == "New."
            assert [await stage.environment.read(A) for _ in range(2)] == ["A.", "B."]
            await stage.environment.read(A)

    seen = staged(scene, steps)

    assert [(read.path, read.content, read.error and read.error.kind) for read in seen.reads] == [
        ("/p/new.md", FileData(text="New."), None),
        ("/p/a.md", FileData(text="A."), None),
        ("/p/a.md", FileData(text="B."), None),
        ("/p/a.md", None, "not_exist"),
    ]
    assert [end.error and end.error.kind for end in seen.runs] == ["not_exist"]


def test_the_language_changes_at_its_gate_and_a_rejection_is_recorded() -> None:
    """The first languages are chosen in order before the agent is built, later ones at their gates."""
    scene = Scene(
        act="run",
        languages=("en", "tlh"),
        changes=(Change(at=Began(run="1"), language="zh"), Change(at=Began(run="1"), language="xx")),
        runs=(ONE,),
    )
    chosen: list[str] = []

    def choose(language: str) -> None:
        if language not in ("en", "zh"):
            raise LookupError(language)
        chosen.append(language)

    async def steps(stage: LiveStage) -> None:
        stage.environment.choose_languages(choose)
        assert chosen == ["en"]
        with stage.runs.running(ONE):
            pass

    assert staged(scene, steps).languages == ("tlh", "xx")
    assert chosen == ["en", "zh"]


def test_a_language_needs_a_function_of_the_target() -> None:
    """The error names the capability and the missing function."""
    scene = Scene(act="run", changes=(Change(at=Began(run="1"), language="zh"),), runs=(ONE,))

    async def steps(stage: LiveStage) -> None:
        with stage.runs.running(ONE):
            pass

    with pytest.raises(RuntimeError, match="declares language-zh but has given no set_language"):
        staged(scene, steps)


@pytest.mark.parametrize(
    ("file", "content", "error"),
    [
        (File(text="ä", repeat=3), FileData(text="äää"), None),
        (File(base64=b"\xff"), FileData(base64=b"\xff"), None),
        (File(nothing=True), None, None),
        (File(fault=Fault(kind="not_exist")), None, "not_exist"),
        (File(fault=Fault(kind="permission")), None, "permission"),
        (File(fault=Fault(kind="directory")), None, "directory"),
        (File(fault=Fault(kind="not_a_directory")), None, "not_a_directory"),
        (File(fault=Fault(kind="cancelled")), None, "cancelled"),
        (File(fault=Fault(kind="io", wrapped=True)), None, "io"),
        (None, None, "not_exist"),
    ],
)
def test_a_read_is_recorded_with_its_result(file: File | None, content: FileData | None, error: str | None) -> None:
    """A read is recorded with text, with bytes, or with the kind of its error, synchronous or not."""
    scene = Scene(act="load", files={"/p/a.md": file} if file else {})

    async def steps(stage: LiveStage) -> None:
        for read in (stage.environment.read_now, stage.environment.read):
            try:
                answer = read(ReadRequest(file_path="/p/a.md", offset=2, limit=3))
                if not isinstance(answer, str | bytes | None):
                    await answer
            except (OSError, RuntimeError):
                assert error

    seen = staged(scene, steps)

    assert [(read.content, read.error and read.error.kind) for read in seen.reads] == [(content, error)] * 2
    assert {(read.path, read.offset, read.limit) for read in seen.reads} == {("/p/a.md", 2, 3)}
    assert seen.reads[0].content is None or seen.reads[0].content.data == (file.content if file else b"")


def test_an_error_with_content_is_raised_unchanged() -> None:
    """A backend may fail and return content in one read."""
    scene = Scene(act="load", files={"/p/a.md": File(text="A.", fault=Fault(kind="io", message="worn out"))})

    async def steps(stage: LiveStage) -> None:
        with pytest.raises(OSError, match="worn out") as error:
            await stage.environment.read(A)
        assert vars(error.value)["content"] == b"A."

    staged(scene, steps)


def ids(batches: Iterable[tuple[Run, ...]]) -> list[str]:
    """The ids of runs, one text for each batch."""
    return ["+".join(run.id for run in batch) for batch in batches]


def test_runs_are_grouped_in_batches_and_sessions() -> None:
    """Concurrent runs share a batch; a resumed run starts a session, unless the run before it has its checkpoint."""
    two, five = Run(id="2", together=True), Run(id="5", together=True)
    runs = (ONE, two, Run(id="3"), Run(id="4", resume="3"), five, Run(id="6", resume="1"), Run(id="7", resume="1"))
    scene = Scene(act="run", runs=runs)

    async def steps(stage: LiveStage) -> None:
        assert ids([batch async for batch in stage.runs.concurrent_runs()]) == ["1+2", "3", "4+5", "6", "7"]
        stage.runs.session = ()
        assert [batch async for batch in stage.runs.concurrent_runs()] == []

    staged(scene, steps)
    assert ids(sessions(scene)) == ["1+2+3", "4+5", "6+7"]
    assert sessions(Scene(act="load")) == [()]


def test_what_an_implementation_changes_in_a_run_is_not_changed_in_the_scene() -> None:
    scene = Scene(act="run", runs=(Run(id="1", context={"tags": ["a"]}, session={"tags": ["a"]}),))
    [(run,)] = sessions(scene)
    for values in (run.context or {}, run.session):
        cast("list[str]", values["tags"]).append("b")

    assert scene.runs == (Run(id="1", context={"tags": ["a"]}, session={"tags": ["a"]}),)


def test_a_run_begins_with_the_conversation_its_caller_stored() -> None:
    """The history has the last request and answer without the system message; extra data is kept only if configured."""
    marked = Message(role="user", content="marked", extra={"k": 1})
    rich, poor = History(run="1"), History(run="1", keep_extra=False)
    runs = (
        ONE,
        Run(id="2", history=rich, messages=(HELLO,)),
        Run(id="3", history=poor),
        Run(id="4", messages=(HELLO,)),
    )
    turns = (Turn(text="first"), Turn(error=Error(kind="scripted", code="E")))
    scene = Scene(act="run", agent=Agent(model=Model(turns=turns)), runs=runs)

    async def steps(stage: LiveStage) -> None:
        with stage.runs.running(ONE):
            await stage.doubles.generate("model", sent(HELLO))
            with pytest.raises(ScriptedError):
                await stage.doubles.generate("model", sent(Message(role="system"), marked))
        assert list(stage.runs.messages(runs[1])) == [marked, HELLO]
        assert list(stage.runs.messages(runs[2])) == [Message(role="user", content="marked")]
        assert list(stage.runs.messages(runs[3])) == [HELLO]

    staged(scene, steps)


def test_every_kind_of_entry_has_its_part() -> None:
    """Each kind of entry has its own part of the Observation."""
    kinds = {*Entry.__subclasses__(), Outside}

    assert kinds <= _PARTS.keys()
    assert len({_PARTS[kind] for kind in kinds}) == len(kinds)


@pytest.mark.parametrize(
    ("content", "form"),
    [(b"", str), (b"a", bytes), (b"ab", str), ("é".encode(), str), ("é!".encode(), bytes), (b"\xff\xfe", bytes)],
)
def test_the_form_depends_on_the_number_of_bytes(content: bytes, form: type) -> None:
    """Content of an odd number of bytes, and content that is not UTF-8, is returned as bytes; other content as text."""
    found = read_file(File(base64=content), "/p/a.md", None)

    assert isinstance(found, form)
    assert (found.encode() if isinstance(found, str) else found) == content


def test_most_cases_with_files_return_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """At least half of the cases in which a file is read return bytes, and at least a third return text."""
    forms: dict[str, set[type]] = {}

    def reading_file(file: File | None, path: str, form: ReadForm | None) -> str | bytes | None:
        found = None
        try:
            found = read_file(file, path, form)
            return found
        finally:
            forms.setdefault(case.id, set()).add(type(found))

    monkeypatch.setattr(environment, "read_file", reading_file)
    with closing(resolve("reference")) as target:
        for case in (case for case in compiled() if case.scene.files):
            judge(case, target)

    reading = [found - {type(None)} for found in forms.values() if found != {type(None)}]
    assert len(reading) > 250
    assert sum(bytes in found for found in reading) * 2 >= len(reading)
    assert sum(str in found for found in reading) * 3 >= len(reading)


@pytest.mark.parametrize("content", [b"a", b"ab", b"\r\n\xef\xbb\xbf", b"\xff\xfe"])
def test_the_form_is_the_same_over_the_pipe(content: bytes) -> None:
    """The message keeps the form: text in `text`, bytes in `base64`."""
    found = as_read(content)
    sent = msgspec.json.decode(msgspec.json.encode(file_reply(found)), type=FileReply)

    assert (sent.base64 if sent.base64 is not None else sent.text) == found
