"""The rules for readers of instruction files as a class for a user's test module."""

from __future__ import annotations

from contextlib import closing

import pytest

from loopspec.contract.dialects import dialect_names
from loopspec.engine.judge import applies
from loopspec.specification.features import compiled
from loopspec.targets.resolve import resolve

from .conftest import Judged

HEAD = """
import pytest
from loopspec import WorkspaceFile, WorkspaceReading
from loopspec.targets.resolve import resolve
from loopspec.testing import WorkspaceConformance


def downward(cwd, home):
    "Reads AGENTS.md from the root of the repository down."
    folders = [cwd, *cwd.parents]
    root = next((at for at, folder in enumerate(folders) if (folder / ".git").exists()), 0)
    files = [folder / "AGENTS.md" for folder in reversed(folders[: root + 1]) if (folder / "AGENTS.md").is_file()]
    return WorkspaceReading([WorkspaceFile(str(file), file.read_text()) for file in files])


def upward(cwd, home):
    return WorkspaceReading(downward(cwd, home).files[::-1])


async def later(cwd, home):
    return downward(cwd, home)


def reference(dialect):
    return lambda cwd, home, configured: resolve(f"reference as {dialect}").shape.read_workspace(cwd, home, configured)


class TestMine(WorkspaceConformance):
"""
READ = """
    @pytest.fixture
    def read_workspace(self):
        return %s
"""
CASES = [case for case in compiled() if case.roles == ("workspace",)]


def module(reader: str, body: str) -> str:
    """A test module with a class for a reader."""
    return HEAD + f"    {body}\n" + READ % reader


def applicable(dialect: str) -> int:
    """The number of cases that judge a reader in a dialect, in this process."""
    with closing(resolve(f"reference as {dialect}")) as target:
        return sum(applies(case, target) for case in CASES if "import-agreement" not in case.needs)


@pytest.mark.parametrize("dialect", [pytest.param(name, marks=pytest.mark.long) for name in dialect_names()])
def test_the_reference_passes_in_every_dialect(dialect: str, judged: Judged) -> None:
    """Each case of the dialect is a test, and so are no others."""
    ran = judged(module(f"reference({dialect!r})", f"dialect, strict = {dialect!r}, True"))

    outcomes = ran.parseoutcomes()
    assert outcomes["passed"] == applicable(dialect) + 1
    assert outcomes.keys() <= {"passed", "skipped"}


def test_the_order_of_a_reader_is_judged(judged: Judged) -> None:
    """The rule of the dialect's order fails as a paragraph, without a traceback."""
    ran = judged(module("upward", "dialect = 'codex'"), "-k", "INS-ORDER or notices")

    assert ran.parseoutcomes()["failed"] >= 1
    assert ran.parseoutcomes()["passed"] >= 1
    ran.stdout.fnmatch_lines(["INS-ORDER-01: *", "instructions/*.feature:* Then *", "why:   loopspec explain *"])
    ran.stdout.no_fnmatch_line("*Traceback*")


@pytest.mark.parametrize("reader", ["downward", "later"])
def test_a_right_order_passes(reader: str, judged: Judged) -> None:
    """A coroutine function is a reader as well."""
    ran = judged(module(reader, "dialect = 'codex'"), "-k", "INS-ORDER or notices")

    assert ran.parseoutcomes().keys() == {"passed", "deselected"}
    assert ran.parseoutcomes()["passed"] >= 2


def test_another_dialect_has_other_cases(judged: Judged) -> None:
    """A dialect that reads from the working directory up has no case of the opposite order."""
    ran = judged(module("downward", "dialect = 'codex'"), "--collect-only", "-q")
    other = judged(module("downward", "dialect = 'deepagents'"), "--collect-only", "-q")

    ids = [{line for line in one.outlines if "INS-" in line} for one in (ran, other)]
    assert ids[0] - ids[1]
    assert ids[1] - ids[0]


def test_a_rule_is_advisory_where_the_document_of_the_tool_does_not_state_the_value(judged: Judged) -> None:
    """Its failure is expected, that of a documented value is not."""
    ran = judged(module("lambda cwd, home: WorkspaceReading([WorkspaceFile(None, 'x')])", "dialect = 'pi'"), "-rx")

    assert min(ran.parseoutcomes()["xfailed"], ran.parseoutcomes()["failed"]) >= 1
    ran.stdout.fnmatch_lines(["XFAIL * advisory, so it counts with `strict = True` only: *"])


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("pass", "TestMine has the role workspace and declares no dialect: add `dialect`, one of agents-md, *"),
        ("dialect = 'codx'", "TestMine declares the dialect 'codx', which is none: did you mean 'codex'?"),
    ],
)
def test_a_class_without_a_known_dialect_is_an_error(body: str, sentence: str, judged: Judged) -> None:
    """No test is collected."""
    ran = judged(module("downward", body))

    ran.stdout.fnmatch_lines([f"*{sentence}"])
    assert "passed" not in ran.parseoutcomes()


def test_a_wrong_result_is_an_error_of_the_adapter(judged: Judged) -> None:
    """The sentence says what was returned."""
    ran = judged(module("lambda cwd, home: None", "dialect = 'codex'"), "-k", "INS-ORDER-01")

    assert ran.parseoutcomes().keys() == {"failed", "deselected"}
    ran.stdout.fnmatch_lines(["*read_workspace() returned nothing: return a loopspec.WorkspaceReading*"])


def test_a_class_without_the_fixture_is_an_error(judged: Judged) -> None:
    """The message names the missing fixture."""
    ran = judged(HEAD + "    dialect = 'codex'\n", "-k", "INS-ORDER-01")

    ran.stdout.fnmatch_lines(["TestMine gives no fixture read_workspace: see loopspec.testing"])
    assert "passed" not in ran.parseoutcomes()
