"""`loopspec run --dialect`: the role workspace in the dialect of one tool, or of each tool."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from loopspec.cli import main
from loopspec.contract.dialects import DEFAULT_DIALECT, dialect, dialect_names, observed_dialect_names, value_of_rule
from loopspec.engine.result import CaseLine
from loopspec.reports.jsonl import Line, RunLine, read_report

from ..process import PATIENCE
from .in_process import Loopspec

pytestmark = pytest.mark.usefixtures("workspaces_in_memory")

RULES = ("--rule", "INS-WALK-01", "--rule", "INS-ORDER-01")
ALL = (*dialect_names(), *observed_dialect_names())  # the runs of `--dialect all`, in order
MODULE = '''\
from loopspec import WorkspaceFile, WorkspaceReading


class Loader:
    """A loader of our own: the files named AGENTS.md, from the root of the repository down."""

    dialect = "codex"

    def read_workspace(self, cwd, home):
        folders = [cwd]
        while not (folders[0] / ".git").exists() and folders[0] != folders[0].parent:
            folders.insert(0, folders[0].parent)
        if not (folders[0] / ".git").exists():
            folders = [cwd]
        files = [folder / "AGENTS.md" for folder in folders if (folder / "AGENTS.md").is_file()]
        return WorkspaceReading([WorkspaceFile(str(file), file.read_text()) for file in files], [])


class Backward(Loader):
    """The same files in the wrong order."""

    def read_workspace(self, cwd, home):
        reading = super().read_workspace(cwd, home)
        return WorkspaceReading(reading.files[::-1], [])
'''


@pytest.fixture
def folder(here: Path) -> Path:
    """The current folder, with the module."""
    (here / "own.py").write_text(MODULE, encoding="utf-8")
    return here


def served(name: str) -> str:
    """The target string of an adapter in a process of its own."""
    return f"cmd:{shlex.quote(sys.executable)} -m loopspec serve py:own:{name}"


def last(text: str) -> str:
    """The last sentence of a run."""
    return text.splitlines()[-1]


def _without_count(text: str) -> str:
    """The last sentence of a run up to the number of the selected cases."""
    return re.sub(r"\d+ selected cases?\.$", "", last(text))


@pytest.mark.parametrize(
    ("dialect", "sentence"),
    [
        ("codex", "reference is conformant in the dialect codex in "),
        (DEFAULT_DIALECT, f"reference as {DEFAULT_DIALECT} is conformant in "),
    ],
)
def test_the_last_sentence_names_another_dialect_than_the_default_one(
    dialect: str, sentence: str, loopspec: Loopspec
) -> None:
    """Cases of other values are counted with the value of the dialect."""
    ended = loopspec("run", "reference", "--dialect", dialect, "--area", "INS-ORDER", "--area", "INS-WALK", "-v")

    assert (ended.code, _without_count(ended.said)) == (0, sentence)
    assert "posture" not in ended.said
    line = next(line for line in ended.said.splitlines() if "another value" in line)
    assert line.startswith("    another value in the target's dialect: ")
    assert ("order is from-root " in line) is (dialect == "codex")


def test_all_judges_each_dialect_and_returns_the_highest_exit_code(folder: Path, loopspec: Loopspec) -> None:
    """The report of each dialect has the dialect in its name."""
    options = ("--dialect", "all", "--area", "INS-WALK", "-q")
    ended = loopspec("run", "reference", *options, "--report", "{dialect}.jsonl")

    lines = dict(zip(ALL, map(_without_count, ended.said.splitlines()), strict=True))
    assert ended.code == 0
    assert lines.pop(DEFAULT_DIALECT) == f"reference as {DEFAULT_DIALECT} is conformant in "
    named = {name: line for name, line in lines.items() if not line.startswith("Nothing was judged: of ")}
    assert named == {name: f"reference is conformant in the dialect {name} in " for name in named}
    assert len(named) > len(ALL) / 2
    assert sorted(path.stem for path in folder.glob("*.jsonl")) == sorted(ALL)
    for name in ALL:
        first = read_report(folder / f"{name}.jsonl")[0]
        assert isinstance(first, RunLine)
        assert first.target == f"reference as {name}"
        shown = {} if name == DEFAULT_DIALECT else {"dialect": name}
        assert {axis: posture.value for axis, posture in first.postures.items()} == shown

    assert loopspec("run", "py:own:Backward", "--dialect", "all", *RULES, "-q").code == 1


def test_every_value_is_judged_in_a_dialect() -> None:
    """A value that only a tool has which contradicts its document is judged in the dialect of what is observed."""
    values = value_of_rule().items()

    assert [rule for rule, (axis, value) in values if not any(dialect(name).value(axis) == value for name in ALL)] == []


def test_a_rule_of_another_dialect_is_no_success(loopspec: Loopspec) -> None:
    """The value of the rule is not the one of the dialect, so no case is applicable."""
    other = next(rule for rule, (axis, value) in value_of_rule().items() if dialect("codex").value(axis) != value)

    ended = loopspec("run", "reference", "--dialect", "codex", "--rule", other, "-q")

    assert (ended.code, len(ended.said.splitlines())) == (5, 1)


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["--dialect", "codx"], "there is no dialect 'codx': did you mean 'codex'?"),
        (["--dialect", "zzz"], f"there is no dialect 'zzz': the dialects are {', '.join(dialect_names())}"),
        (["--dialect", "codex", "--role", "agent"], "--dialect is about the role workspace: leave out --role agent"),
        (
            ["--dialect", "all", "--report", "one.jsonl"],
            "--dialect all has a run for each dialect: put {dialect} into the name of the file one.jsonl",
        ),
    ],
)
def test_a_wrong_option_is_one_sentence(args: list[str], sentence: str, here: Path, loopspec: Loopspec) -> None:
    ended = loopspec("run", "reference", *args)

    assert (ended.code, ended.out, ended.err) == (2, "", f"loopspec: {sentence}\n")
    assert not (here / "one.jsonl").exists()


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("of", [lambda name: f"py:own:{name}", served], ids=["py", "cmd"])
def test_a_target_declares_its_dialect_and_the_option_names_another_one(
    of: Callable[[str], str], loopspec: Loopspec
) -> None:
    """A documented value is normative in its dialect only: the document of Codex states the order of the files."""
    declared = loopspec("run", of("Loader"), *RULES)
    assert (declared.code, _without_count(declared.said)) == (
        0,
        f"{of('Loader')} is conformant in the dialect codex in ",
    )

    other = loopspec("run", of("Loader"), "--dialect", "gemini-cli", "--rule", "INS-WALK-01")
    assert other.code == 1
    assert last(other.said).startswith(f"{of('Loader')} as gemini-cli is not conformant: ")

    assert dialect("codex").axes["order"].documented == "from-root"
    wrong = loopspec("run", of("Backward"), "--rule", "INS-ORDER-01")
    assert wrong.code == 1
    assert "failed INS-ORDER-01 " in wrong.out
    assert "normative case" in last(wrong.out)


def test_every_form_of_the_report_names_the_dialect(loopspec: Loopspec) -> None:
    link = dialect("codex").documents[0]
    args = ("--dialect", "codex", *RULES, "--report", "one.jsonl", "--junit", "one.xml")
    loopspec("run", "reference", *args)
    table = loopspec("report", "one.jsonl", "--markdown", "--html", "html", "--summary", "summary").said
    html, suite = Path("html").read_text("utf-8"), ElementTree.parse("one.xml").getroot().find("testsuite")

    assert f"- dialect: codex, documented at {link}" in Path("summary").read_text("utf-8").replace("\\", "")
    assert f'dialect: codex (<a href="{link}">documented</a>)' in html
    assert "Postures:" not in html
    assert "reference is conformant in the dialect codex in " in html
    assert last(table).endswith(" is judged in the dialect codex.")
    assert suite is not None
    assert [one.attrib for one in suite.findall("properties/property")] == [{"name": "dialect", "value": "codex"}]
    assert _without_count(suite.findtext("system-out") or "") == "reference is conformant in the dialect codex in "


def test_a_reader_that_leaves_ends_no_run_with_a_traceback(folder: Path) -> None:
    """The reader closes the pipe after the first line; the reports are complete."""
    command = [sys.executable, "-m", "loopspec", "run", "reference", "--dialect", "all", "--rule", "INS-ORDER-01"]
    command += ["--report", "{dialect}.jsonl"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        complaints = process.stderr.read()
        assert (process.wait(PATIENCE), complaints) == (0, b"")

    reports = sorted(folder.glob("*.jsonl"))
    assert len(reports) == len(ALL)
    for report in reports:
        assert read_report(report)[-1].__class__.__name__ == "Summary"


RUN = ["run", "reference", "--dialect", "codex", "--area", "INS-W*", "--area", "INS-O*", "--quiet"]


def judged(path: Path, *options: str) -> list[Line]:
    """The report of a run with these options, which passes."""
    assert main([*RUN, *options, "--report", str(path)]) == 0
    return read_report(path)


def verdicts(report: list[Line]) -> dict[str, tuple[str, str]]:
    """The verdict and the message of each case."""
    return {line.case: (line.verdict, line.message) for line in report if isinstance(line, CaseLine)}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, str]]:
    """What one process says of each case."""
    found = verdicts(judged(tmp_path_factory.mktemp("whole") / "whole.jsonl"))
    assert {verdict for verdict, _ in found.values()} == {"passed", "inapplicable"}
    return found


def test_workers_judge_in_the_dialect(whole: dict[str, tuple[str, str]], tmp_path: Path) -> None:
    assert verdicts(judged(tmp_path / "workers.jsonl", "-n", "2")) == whole


def test_merged_shards_are_the_whole_run(whole: dict[str, tuple[str, str]], tmp_path: Path) -> None:
    parts = [tmp_path / f"{number}.jsonl" for number in (1, 2)]
    for number, path in enumerate(parts, 1):
        assert len(verdicts(judged(path, "--shard", f"{number}/2"))) < len(whole)
    merged = tmp_path / "merged.jsonl"

    assert main(["report", *map(str, parts), "--merge", str(merged)]) == 0
    assert verdicts(read_report(merged)) == whole
    [run] = [line for line in read_report(merged) if isinstance(line, RunLine)]
    assert run.postures["dialect"].value == "codex"


def test_junit_has_the_passed_cases(whole: dict[str, tuple[str, str]], tmp_path: Path) -> None:
    """A case of another value is skipped."""
    path = tmp_path / "junit.xml"
    judged(tmp_path / "report.jsonl", "--junit", str(path))
    cases = ElementTree.parse(path).getroot().findall(".//testcase")  # our own file
    skipped = [case for case in cases if case.find("skipped") is not None]

    assert len(cases) == len(whole)
    assert len(skipped) == sum(verdict == "inapplicable" for verdict, _ in whole.values())
