"""The role workspace: trees on a disk, and the files that a text shows."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec.structs import replace as with_fields

from loopspec import WorkspaceFile, WorkspaceReading
from loopspec.contract.axes import declared_dialect
from loopspec.contract.faults import AdapterError, TargetUnusable, UsageError
from loopspec.contract.scene import Scene
from loopspec.contract.workspaces import Entry, Workspace, path_in, sentinel
from loopspec.engine.perform import perform
from loopspec.engine.run import SuiteRun
from loopspec.targets.python import PythonTarget
from loopspec_instructions import trees
from loopspec_instructions.trees import laid_out, must_be_alone

from ..conformance.staging import case_of

A, B = "project/AGENTS.md", "project/a/AGENTS.md"
FIRST, SECOND = sentinel(A), sentinel(B)
TWO = Workspace(entries={A: Entry(text=f"{FIRST}\none\n"), B: Entry(text=f"{SECOND}\ntwo\n")})


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The temporary folder of the test."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def shown(text: str, workspace: Workspace = TWO) -> list[tuple[str, str]]:
    """The files in a text, with their parts of the text."""
    return [(one.path, one.text) for one in trees.Tree(Path("/nowhere"), workspace).sections(text)]


# -- on the disk -------------------------------------------------------------------------------------------------------


def test_nothing_is_left_after_a_workspace(folder: Path) -> None:
    """Neither after a success, nor after an error, nor of what the tool has written."""
    entries = {"project/f": Entry(kind="forbidden", text="x"), "project/b": Entry(kind="pipe"), **TWO.entries}
    with laid_out(Workspace(entries=entries)) as tree:
        (tree.home / ".cache").write_text("written by the tool")
    with pytest.raises(ZeroDivisionError), laid_out(TWO):
        raise ZeroDivisionError
    with pytest.raises(FileExistsError), laid_out(Workspace(entries={"project": Entry(kind="link", target="x")})):
        pass
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("name", ["AGENTS.md", "CLAUDE.md", "GEMINI.md", "QWEN.md", ".git", ".kimi/AGENTS.md"])
@pytest.mark.parametrize("where", ["", ".."])
def test_an_instruction_file_above_the_workspaces_is_an_error(
    name: str, where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "below").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "below"))
    must_be_alone()
    found = (tmp_path / "below" / where / name).resolve()
    found.parent.mkdir(exist_ok=True)
    found.symlink_to("nowhere")  # a tool may fail at a broken link, too

    with pytest.raises(UsageError) as raised:
        must_be_alone()
    assert str(raised.value) == (
        f"tools would find {found} above each workspace: remove it, or set TMPDIR to a folder "
        "that has no such file above it"
    )
    with pytest.raises(UsageError), laid_out(TWO):
        pass


def test_a_run_that_is_not_alone_judges_nothing(folder: Path) -> None:
    """Only a target with the role is concerned."""
    (folder / "AGENTS.md").touch()
    cases = [case_of("INS-WALK-01"), case_of("LOOP-01")]
    with pytest.raises(UsageError, match="tools would find"):
        SuiteRun(target_of(nothing), "t", cases)
    SuiteRun(target_of(nothing), "t", cases[1:])


# -- files in texts ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("one\ntwo\n", []),
        (f"{FIRST}\none\n\n{SECOND}\ntwo", [(A, f"{FIRST}\none\n\n"), (B, f"{SECOND}\ntwo")]),
        (f"# {B}\n{SECOND}\n\n---\n{FIRST}", [(B, f"{SECOND}\n\n---\n"), (A, FIRST)]),
        (f"{FIRST}\nsee {SECOND}\ntwo\nend", [(A, f"{FIRST}\nsee "), (B, f"{SECOND}\ntwo\nend")]),
        (f"{FIRST}{FIRST}", [(A, FIRST), (A, FIRST)]),
        (FIRST[:-1], []),  # cut within the first line
        (f"{SECOND}\nt", [(B, f"{SECOND}\nt")]),
        (f"> {FIRST}\r\n> one", [(A, f"{FIRST}\r\n> one")]),
        (FIRST.lower(), []),
    ],
)
def test_files_are_found_by_their_first_lines(text: str, expected: list[tuple[str, str]]) -> None:
    """In joined texts, inline, cut, and repeated."""
    assert shown(text) == expected


def test_the_first_line_of_a_file_is_the_same_in_every_dialect() -> None:
    """The path in the first line has the placeholder, and no reader of code words takes the braces for an import."""
    line = sentinel("project/{first name}")
    assert "{" not in line
    assert path_in(line) == "project/{first name}"
    assert path_in(f"{line} ") is None
    assert shown(f"x {line}\ny", Workspace(entries={"project/X.md": Entry(text=f"{line}\ny")})) == [
        ("project/{first name}", f"{line}\ny")
    ]


def test_a_file_without_a_first_line_is_not_found() -> None:
    """The content of such a file is a part of the file before."""
    entries = {**TWO.entries, "project/c.md": Entry(text="three"), "project/d.md": Entry(kind="link", target="c.md")}
    assert shown(f"{FIRST}\nthree", Workspace(entries=entries)) == [(A, f"{FIRST}\nthree")]


# -- what adapters do --------------------------------------------------------------------------------------------------


def nothing(cwd: Path, home: Path) -> WorkspaceReading:
    """Read nothing."""
    return WorkspaceReading([])


def target_of(read: Callable[..., object], dialect: str = "codex") -> PythonTarget:
    """An adapter with this function."""

    class Tool:
        read_workspace = staticmethod(read)

    Tool.dialect = dialect  # type: ignore[attr-defined]  # as a user's class has it
    return PythonTarget(Tool, "tool")


def test_the_texts_and_the_warnings_are_recorded(folder: Path) -> None:
    received: list[tuple[Path, Path]] = []

    def read(cwd: Path, home: Path) -> WorkspaceReading:
        received.append((cwd, home))
        texts = [(cwd / "a/AGENTS.md").read_text(), f"a\n{(cwd / 'AGENTS.md').read_text()}"]
        return WorkspaceReading([WorkspaceFile(None, text) for text in texts], ["slow"])

    with closing(target_of(read)) as target:
        seen = perform(target, Scene(act="read workspace", workspace=TWO), "workspace")
    [(cwd, home)] = received
    [load] = seen.loads
    assert (cwd.name, home) == ("project", cwd.parent / "home")
    assert [section.path for section in load.sections] == [B, A]
    assert load.text == f"{SECOND}\ntwo\n\na\n{FIRST}\none\n"
    assert [(warning.path, warning.message) for warning in seen.warnings] == [("", "slow")]


SHAPE = "return a loopspec.WorkspaceReading, as in WorkspaceReading([WorkspaceFile(path, text)])"
FILES = "make the files a list of loopspec.WorkspaceFile"
TEXT = "one text: return WorkspaceReading([WorkspaceFile(None, text)]), in which the harness finds the files"
UNDECODED = "bytes as the text of file 2: decode the bytes as the tool does"
WRONG_PATH = "int 3 as the path of file 1: the path is a str, a Path or None"
GOOD = WorkspaceFile(None, "text")


def reading(files: object, warnings: object = ()) -> WorkspaceReading:
    """A reading with parts of any type."""
    return WorkspaceReading(files, warnings)  # type: ignore[arg-type]  # a wrong type, on purpose


@pytest.mark.parametrize(
    ("returned", "sentence"),
    [
        (None, f"nothing: {SHAPE}"),
        ("text", TEXT),
        ([("a", "b")], f"a list: {SHAPE}"),
        (GOOD, f"one WorkspaceFile: {SHAPE}"),
        (3, f"int 3: {SHAPE}"),
        (reading(None), f"nothing as the files of a WorkspaceReading: {FILES}"),
        (reading(GOOD), f"WorkspaceFile {GOOD!r:.80} as the files of a WorkspaceReading: {FILES}"),
        (reading([("a", "b")]), f"tuple ('a', 'b') as file 1: {FILES}"),
        (reading([GOOD, WorkspaceFile("a", b"b")]), UNDECODED),  # type: ignore[arg-type]  # a wrong type, on purpose
        (reading([replace(GOOD, text=None)]), "nothing as the text of file 1: the text is a str"),  # type: ignore[arg-type]  # a wrong type, on purpose
        (reading([WorkspaceFile(3, "b")]), WRONG_PATH),  # type: ignore[arg-type]  # a wrong type, on purpose
        (reading([], "warning"), "str 'warning' as the warnings: make them a list of texts"),
        (reading([], ["slow", 3]), "int 3 as warning 2: a warning is a text"),
    ],
)
def test_another_result_is_the_adapters_error(returned: object, sentence: str, folder: Path) -> None:
    """In one sentence, and no outcome of the tool: `Then loading fails` does not hold."""
    with closing(target_of(lambda cwd, home: returned)) as target, pytest.raises(AdapterError) as raised:
        perform(target, Scene(act="read workspace", workspace=TWO), "workspace")
    assert str(raised.value) == f"read_workspace() returned {sentence}"
    assert "\n" not in str(raised.value)
    assert list(folder.iterdir()) == []


def test_a_result_of_a_coroutine_is_checked(folder: Path) -> None:
    async def read(cwd: Path, home: Path) -> str:
        return "text"

    with closing(target_of(read)) as target, pytest.raises(AdapterError, match="returned one text: "):
        perform(target, Scene(act="read workspace", workspace=TWO), "workspace")


@pytest.mark.parametrize("kind", [str, Path])
def test_the_path_of_a_file_is_a_text_or_a_path(kind: Callable[[Path], str | Path], folder: Path) -> None:
    """An empty file is known by its path alone."""
    empty = with_fields(TWO, entries={A: Entry(), **TWO.entries, "project/empty.md": Entry()})

    def read(cwd: Path, home: Path) -> WorkspaceReading:
        return WorkspaceReading([WorkspaceFile(kind(cwd / "empty.md"), "")])

    with closing(target_of(read)) as target:
        [load] = perform(target, Scene(act="read workspace", workspace=empty), "workspace").loads
    assert load.empty_files == ("project/empty.md",)


@pytest.mark.parametrize(
    ("read", "shown"),
    [
        (lambda cwd: None, "(cwd)"),
        (lambda cwd, home, files: None, "(cwd, home, files)"),
        (lambda configured: None, "(configured)"),
    ],
)
def test_other_parameters_are_the_adapters_error(read: Callable[..., object], shown: str, folder: Path) -> None:
    with closing(target_of(read)) as target, pytest.raises(AdapterError) as raised:
        perform(target, Scene(act="read workspace", workspace=TWO), "workspace")
    assert str(raised.value) == (
        f"read_workspace() has the parameters {shown}: make it read_workspace(cwd, home), "
        "or read_workspace(cwd, home, configured)"
    )


@pytest.mark.parametrize(
    ("write", "sentence"),
    [
        (lambda cwd: (cwd / "AGENTS.md").write_text("x"), f"{A} was changed"),
        (lambda cwd: (cwd / "AGENTS.md").unlink(), f"{A} was removed"),
        (lambda cwd: (cwd / "CLAUDE.md").touch(), "project/CLAUDE.md was created"),
        (lambda cwd: (cwd / "b").mkdir(), "project/b was created"),
        (lambda cwd: (cwd / "a").chmod(0o700), ""),
        (lambda cwd: (cwd / ".cache/x").mkdir(parents=True), ""),
        (lambda cwd: (cwd / "../home/sessions").mkdir(), ""),
    ],
)
@pytest.mark.parametrize("raises", [False, True])
def test_a_reader_that_writes_is_the_adapters_error(
    write: Callable[[Path], object], sentence: str, raises: bool, folder: Path
) -> None:
    """A tool may keep files of its own, below the home folder and below a folder whose name begins with a dot."""

    def read(cwd: Path, home: Path) -> WorkspaceReading:
        write(cwd)
        if raises:
            raise PermissionError("no")
        return nothing(cwd, home)

    with closing(target_of(read)) as target:
        scene = Scene(act="read workspace", workspace=TWO)
        if not sentence:
            assert len(perform(target, scene, "workspace").loads) == 1
            return
        with pytest.raises(AdapterError) as raised:
            perform(target, scene, "workspace")
    assert str(raised.value) == f"read_workspace() wrote to the workspace: {sentence}; a reader only reads"


def test_an_exception_of_the_tool_is_the_outcome(folder: Path) -> None:
    def read(cwd: Path, home: Path) -> WorkspaceReading:
        raise PermissionError("no")

    with closing(target_of(read)) as target:
        [load] = perform(target, Scene(act="read workspace", workspace=TWO), "workspace").loads
    assert load.error is not None
    assert load.error.kind == "permission"


# -- declarations ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dialect", "message"),
    [
        ("", "tool has the role workspace and declares no dialect: add `dialect`, one of agents-md, "),
        ("codx", "tool declares the dialect 'codx', which is none: did you mean 'codex'?"),
        (3, "tool declares the dialect '3', which is none"),
    ],
)
def test_a_target_declares_a_dialect_that_exists(dialect: str, message: str) -> None:
    with pytest.raises(TargetUnusable) as raised:
        target_of(nothing, dialect)
    assert message in str(raised.value)


def test_the_dialect_of_the_command_line_precedes_the_declared_one() -> None:
    class Tool:
        dialect = "codex"
        read_workspace = staticmethod(nothing)

    with closing(PythonTarget(Tool, "tool", "pi")) as target, closing(target.rebuilt()) as another:
        assert target.postures == another.postures == declared_dialect("pi")


def test_an_object_without_attributes_takes_no_dialect() -> None:
    class Tool:
        __slots__ = ()
        dialect = "codex"

        def read_workspace(self, cwd: Path, home: Path) -> WorkspaceReading:
            return nothing(cwd, home)

    with pytest.raises(TargetUnusable, match="the dialect of tool cannot be set: leave out the dialect pi"):
        PythonTarget(Tool, "tool", "pi")
