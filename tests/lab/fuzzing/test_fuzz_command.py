"""`loopspec fuzz`: exit codes, files, and scenarios that can be pasted."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from loopspec.contract.agents import Agent, Model, Turn
from loopspec.contract.observation import Observation, RunEnd
from loopspec.contract.scene import Run, Scene
from loopspec.contract.values import Error, Message
from loopspec.engine.perform import perform
from loopspec.targets.resolve import resolve
from loopspec_lab.comparing.differences import Difference
from loopspec_lab.fuzzing.known import KnownDifferences
from loopspec_lab.fuzzing.printing import scenario_of
from loopspec_lab.fuzzing.search import Finding, Performed, Search
from loopspec_mutants import BUGS

from ...conformance.cli.in_process import Loopspec
from ...conformance.process import Start, ended, run_loopspec
from .printed import scenario_that_shows

# The reference, with a bug in what a load returns and no other role.
LOADER = """
class Backwards:
    async def load(self, backend, files, max_bytes):
        from loopspec_reference_adapter import Reference

        sections, warned = await Reference().load(backend, files, max_bytes)
        return sections[::-1], warned
"""

# The reference, which declares one posture and one default value.
POSED = """
from loopspec import Posture
from loopspec_reference_adapter import Reference


class Posed(Reference):
    name = "posed"
    postures = {
        "after-order": Posture("reversed", measured=True),
        "edits-last": Posture("run", measured=True),
    }
"""


# A reader of AGENTS.md that reads from the working directory up, where Codex reads from the root down.
READER = """
from loopspec import WorkspaceFile, WorkspaceReading


class Upward:
    dialect = "codex"

    def read_workspace(self, cwd, home):
        folders = [cwd, *cwd.parents]
        root = next((at for at, folder in enumerate(folders) if (folder / ".git").exists()), 0)
        found = [folder / "AGENTS.md" for folder in folders[: root + 1]]
        return WorkspaceReading([WorkspaceFile(path, path.read_text("utf-8")) for path in found if path.is_file()])
"""


@pytest.fixture
def upward(here: Path) -> str:
    """A reader with the wrong order."""
    (here / "upward.py").write_text(READER, encoding="utf-8")
    return "py:upward:Upward"


@pytest.mark.parametrize(
    ("options", "dialect"),
    [((), "codex"), (("--dialect", "codex"), "codex"), (("--dialect", "gemini-cli"), "gemini-cli")],
)
def test_a_reader_is_compared_with_the_reference_in_its_dialect(
    options: tuple[str, ...], dialect: str, loopspec: Loopspec, here: Path, upward: str
) -> None:
    """Or in the dialect of the option, with the file names of this dialect."""
    ran = loopspec("fuzz", upward, *options, "-x", "--seed", "1", "--report", "r.jsonl")

    assert (ran.code, ran.err) == (1, "")
    assert "When the tool reads the workspace" in ran.out
    assert "different postures" not in ran.out
    assert ("GEMINI.md" in ran.out) is (dialect == "gemini-cli")
    first, difference, last = lines_of(here / "r.jsonl")
    assert first["other"] == f"reference as {dialect}"
    assert last["differences"] == 1
    assert difference["scene"]["act"] == "read workspace"


def test_the_option_generates_workspaces_alone(loopspec: Loopspec, here: Path) -> None:
    """The reference has agents and loads, too; an unknown dialect, and a target without the role, are usage errors."""
    ran = loopspec("fuzz", "reference", "--dialect", "pi", "--seconds", "0.5", "--report", "r.jsonl")
    assert ran.code == 0
    first, last = lines_of(here / "r.jsonl")
    assert (first["target"], first["other"], last["differences"]) == ("reference as pi", "reference as pi", 0)
    assert last["performed"] > 0

    ran = loopspec("fuzz", "reference", "--dialect", "codx")
    assert (ran.code, ran.err) == (2, "loopspec: there is no dialect 'codx': did you mean 'codex'?\n")


@pytest.fixture
def backwards(here: Path) -> str:
    """A loader that returns the loaded files in reverse."""
    (here / "backwards.py").write_text(LOADER, encoding="utf-8")
    return "py:backwards:Backwards"


def lines_of(path: Path) -> list[dict[str, Any]]:
    """The lines of a report."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_no_difference_is_exit_code_0(loopspec: Loopspec, here: Path) -> None:
    """The reference compared with itself: the last sentence counts the scenes."""
    ran = loopspec("fuzz", "reference", "--seconds", "0.5", "--seed", "1", "--report", "r.jsonl")

    assert ran.code == 0
    assert ran.err == ""
    assert "0 new differences, 0 known." in ran.out.splitlines()[-1]
    first, last = lines_of(here / "r.jsonl")
    assert (first["type"], first["target"], first["other"], first["seed"]) == ("fuzz", "reference", "reference", 1)
    assert (last["type"], last["differences"], last["interrupted"]) == ("end", 0, False)
    assert last["performed"] > 0


def test_a_difference_is_exit_code_1(loopspec: Loopspec, here: Path, backwards: str) -> None:
    """The difference is printed as a scenario with both outcomes, and its line has all of it."""
    ran = loopspec("fuzz", backwards, "-x", "--seed", "1", "--report", "r.jsonl")

    assert ran.code == 1
    assert ran.err == ""
    assert "Scenario: Difference 1 of seed 1" in ran.out
    assert "When the instructions are loaded" in ran.out
    begun, found, last = lines_of(here / "r.jsonl")
    assert begun["type"] == "fuzz"
    assert (found["type"], found["number"], found["difference"]["source"]) == ("difference", 1, "loads")
    assert found["scenario"] in ran.out
    assert last["differences"] == ran.out.count("Scenario: ") == 1
    assert last["endedEarly"] == "-x stops it after the first new difference"
    assert f"the search ended early: {last['endedEarly']}" in ran.out


def test_different_postures_are_named_before_the_differences(loopspec: Loopspec, here: Path) -> None:
    """A declared default value is no difference. Equal postures are not named."""
    (here / "posed.py").write_text(POSED, encoding="utf-8")

    ran = loopspec("fuzz", "py:posed:Posed", "--seconds", "0.2", "--seed", "1")
    alike = loopspec("fuzz", "py:posed:Posed", "py:posed:Posed", "--seconds", "0.2", "--seed", "1")

    assert ran.out.splitlines()[1:4] == [
        "The targets have different postures, and a difference below may follow from one of them:",
        "  after-order: reversed ≠ registered",
        "",
    ]
    assert "postures" not in alike.out


REPORTING = """
from loopspec import Posture
import loopspec_agent as toy


class Reporting(toy.Loop):
    async def call(self, call, emit):
        try:
            return await super().call(call, emit)
        except Exception as error:
            said = {"role": "tool", "content": str(error), "id": call["id"], "name": call["name"]}
            emit(said)
            return said


class Adapter(toy.Adapter):
    capabilities = ("concurrent-runs", "raw-arguments")
    postures = {
        "tool-failure": Posture("reported", measured=True),
        "unknown-tool": Posture("reported", measured=True),
        "calls-without-tools": Posture("reported", measured=True),
        "instruction-template": Posture("literal", measured=True),
        "limit-zero": Posture("no-call", measured=True),
    }

    def build(self, parts):
        loop = super().build(parts)
        return Reporting(loop.model, loop.tools, loop.instruction, loop.limit, loop.hooks, loop.wraps)
"""


def test_a_difference_that_may_follow_from_a_posture_says_so(loopspec: Loopspec, here: Path) -> None:
    """Each difference of an agent that does what its postures declare is in a scene about one of their axes."""
    (here / "reporting.py").write_text(REPORTING, encoding="utf-8")

    ran = loopspec("fuzz", "py:reporting:Adapter", "--seconds", "1.5", "--seed", "3", "-x")

    differences = ran.out.split("\ndifference ")[1:]
    assert differences
    assert [one for one in differences if "may follow from the postures on the axis " not in one] == []
    assert "-x stops it" not in ran.out


def test_the_printed_entry_passes_over_the_difference(loopspec: Loopspec, here: Path, backwards: str) -> None:
    """With entries for the loads, nothing is new, and each difference is counted with its reason."""
    (here / "known.toml").write_text(
        '[[difference]]\nsource = "loads"\npath = "*.files.*"\nreason = "loads backwards"\n', encoding="utf-8"
    )

    ran = loopspec("fuzz", backwards, "--seconds", "1", "--seed", "1", "--known", "known.toml")

    assert ran.code == 0
    assert "× loads backwards" in ran.out


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        ("fuzz", 2, "the following arguments are required: TARGET"),
        ("fuzz refrence", 2, "there is no target 'refrence': did you mean 'reference'?"),
        ("fuzz reference py:brokn:Loader", 2, "there is no module 'brokn'"),
        ("fuzz reference --seconds 0", 2, "'0' is not a number of seconds above 0"),
        ("fuzz reference --known no.toml", 2, "the known differences no.toml cannot be read: No such file"),
        ("fuzz reference --report no/r.jsonl", 2, "no/r.jsonl cannot be written: No such file"),
        (
            "fuzz py:broken:Backend py:broken:Loader",
            2,
            "nothing in common that is generated: agents, loads of instruction files, backends, or workspaces",
        ),
        ("fuzz py:broken:Backend --dialect codex --role backend", 2, "--dialect is for the role workspace, and --role"),
        ("fuzz py:broken:Loader --role backend", 2, "the role backend is compared, and one of the targets does not"),
        ("fuzz py:broken:raises", 4, "broken:raises"),
    ],
)
def test_an_error_is_one_sentence(arguments: str, code: int, sentence: str, loopspec: Loopspec) -> None:
    """With the exit code that `run` has for it."""
    ran = loopspec(*arguments.split())

    assert ran.code == code
    assert ran.err.count("\n") == 1
    assert sentence in ran.err


def test_without_the_extra_the_command_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence, before anything is started."""
    (tmp_path / "hypothesis.py").write_text("raise ImportError('not installed')\n", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    ran = run_loopspec(tmp_path, "fuzz", "reference")

    assert ran.code == 2
    assert ran.said == "loopspec: fuzz needs hypothesis: python -m pip install 'loopspec[fuzz]'\n"


def test_no_other_command_imports_hypothesis() -> None:
    """Neither the parser nor a list needs it."""
    code = """
import sys
from contextlib import suppress
from loopspec.cli import main
for arguments in (["--help"], ["list", "AMD-CFG"], ["fuzz", "--help"]):
    with suppress(SystemExit):
        main(arguments)
sys.exit("hypothesis" in sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0


def test_ctrl_c_ends_in_order(tmp_path: Path, start: Start) -> None:
    """The last lines of the output and of the report are written."""
    process = start(tmp_path, "fuzz", "reference", "--seconds", "60", "--report", "r.jsonl")
    assert process.stdout is not None
    assert "generated scenes for 60 s" in process.stdout.readline()
    process.send_signal(signal.SIGINT)

    ran = ended(process)

    assert ran.code == 130
    assert "0 new differences" in ran.said.splitlines()[-1]
    assert lines_of(tmp_path / "r.jsonl")[-1]["interrupted"] is True


def test_a_loader_that_hangs_is_a_difference(loopspec: Loopspec) -> None:
    """The search ends, since nothing is known about this process any longer, and says so."""
    ran = loopspec("fuzz", "py:broken:SleepsAsync", "--seconds", "20", "--timeout", "0.5")

    assert ran.code == 1
    assert "does not return in time" in ran.out
    assert "the search ended early: " in ran.out


# -- the printed scenario is complete ----------------------------------------------------------------------------------


def test_a_pasted_scenario_is_red_on_the_target_and_green_on_the_other() -> None:
    """Judged by the engine, as any other case."""
    with closing(resolve("reference")) as reference, closing(BUGS["leaves-out-empty-results"].target()) as forgets:
        finding = next(Search(forgets, reference, 60.0, 1, KnownDifferences(), 5.0).findings())
        assert scenario_that_shows(finding, forgets, reference)


def test_a_then_that_another_one_continues_is_not_printed() -> None:
    """That the run fails follows from the error with which it fails."""
    turns = (Turn(error=Error(kind="scripted", code="a")),)
    messages = (Message(role="user", content="Hello."),)
    scene = Scene(
        act="run", agent=Agent(model=Model(turns=turns)), messages=messages, runs=(Run(id="1", messages=messages),)
    )
    with closing(resolve("reference")) as reference:
        theirs = perform(reference, scene, "agent")
    ours = Observation(runs=(RunEnd(n=1, run="1"),))
    difference = Difference(source="runs", path="1.error", ours=None, theirs="scripted")

    printed = scenario_of(Finding(difference, Performed(scene, ours, theirs, (difference,))), "An error")

    thens = printed.scenario[printed.scenario.index("Then ") :].splitlines()
    assert thens[0] == 'Then the run fails with the error "a"'
    assert not any(line.strip() == "And the run fails" for line in thens)
