"""`loopspec doctor` says whether the adapter or the implementation is at fault."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from loopspec import ROLES
from loopspec.cli import main
from loopspec.contract.dialects import DEFAULT_DIALECT, dialect, instruction_axes
from loopspec.contract.workspaces import Workspace
from loopspec.specification.cases import Case
from loopspec.specification.features import compiled
from loopspec_instructions.trees import reads_forbidden_files

from ..begun import LOADERS
from ..process import run_loopspec

ADAPTER = (LOADERS / "adapter.py").read_text(encoding="utf-8")

Doctor = Callable[..., tuple[int, list[str]]]


@pytest.fixture
def doctor(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Doctor:
    """Runs the command on a terminal of 80 columns; returns its exit code and its lines."""
    monkeypatch.setenv("COLUMNS", "80")

    def run(target: str, *options: str) -> tuple[int, list[str]]:
        code = main(["doctor", target, *options])
        out, err = capsys.readouterr()
        assert err == ""
        return code, out.splitlines()

    return run


@pytest.fixture
def altered(tmp_path: Path) -> Callable[..., str]:
    """Makes a target of the loader adapter with parts of its source replaced."""

    def alter(*instead: tuple[str, str]) -> str:
        text = ADAPTER
        for old, new in instead:
            assert text.count(old) == 1
            text = text.replace(old, new)
        (tmp_path / "adapter.py").write_text(text, encoding="utf-8")
        return f"cmd:{shlex.quote(sys.executable)} {shlex.quote(str(tmp_path / 'adapter.py'))}"

    return alter


def verdict(lines: list[str]) -> str:
    """The last sentence, on one line."""
    begin = max(n for n, line in enumerate(lines) if line.startswith(("The adapter ", "The smoke ")))
    return " ".join(line.strip() for line in lines[begin:])


def marks(lines: list[str]) -> dict[str, str]:
    """The mark of each step."""
    return {line[2:22].strip(): line[0] for line in lines if line[:2] in ("✓ ", "✗ ", "– ")}


def is_applicable(case: Case, *, in_process: bool) -> bool:
    """Whether a target without a posture of its own is judged by the case, in the default dialect.

    A process that root starts reads every file, so no case with a forbidden file judges the process.
    """
    values = {axis: value for axis, value in case.postures.items() if axis in instruction_axes()}
    workspace = case.scene.workspace
    return (
        case.basis != "declared"
        and all(dialect(DEFAULT_DIALECT).value(axis) == value for axis, value in values.items())
        and not (workspace and dialect(DEFAULT_DIALECT).lacks(workspace))
        and not (workspace and forbids(workspace) and reads_forbidden_files(in_process=in_process))
        and (in_process or "cancel-read" not in case.needs)  # a read over the pipe cannot be cancelled
    )


def forbids(workspace: Workspace) -> bool:
    """Whether a file of the workspace may not be read."""
    return any(entry.kind == "forbidden" for entry in workspace.entries.values())


@pytest.mark.parametrize("target", ["reference", f"cmd:{sys.executable} -m loopspec serve reference"])
def test_output_for_a_working_adapter_fits_a_screen(doctor: Doctor, target: str) -> None:
    """Every role is tried, and the output has at most 24 lines of at most 80 columns."""
    code, lines = doctor(target)

    assert (code, lines[-1]) == (0, "The smoke cases pass; `loopspec run` judges the others.")
    assert set(marks(lines).values()) == {"✓"}
    assert {f"role {role}" for role in ROLES} <= marks(lines).keys()
    applicable = sum(is_applicable(case, in_process=target == "reference") for case in compiled())
    assert f"✓ applicable          {applicable} of the {len(compiled())} cases of the suite" in lines
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80


def test_the_steps_of_a_process(doctor: Doctor, altered: Callable[..., str]) -> None:
    """The steps lead from the command to the cases; an undeclared optional step is no fault."""
    code, lines = doctor(altered())

    assert (code, verdict(lines)) == (0, "The smoke cases pass; `loopspec run` judges the others.")
    assert list(marks(lines)) == [
        "command", "answers initialize", "ping", "idle", "exit", "identity", "roles", "capabilities",
        "starts again", "role loader", "conversation", "applicable",
    ]  # fmt: skip
    assert [step for step, mark in marks(lines).items() if mark != "✓"] == ["idle"]
    assert any(line.startswith("✓ ping") and line.endswith(" µs round trip") for line in lines)
    assert len(lines) <= 24


def test_a_failing_implementation_is_not_an_adapter_fault(doctor: Doctor, altered: Callable[..., str]) -> None:
    """A wrong order of files is a failure of the implementation, not of the adapter."""
    target = altered(("    return shown\n", "    return shown[::-1]\n"))

    code, lines = doctor(target)

    assert code == 1
    assert marks(lines)["role loader"] == "✗"
    assert f"1 of {len(ROLES['loader'].smoke)} smoke cases failed in the implementation: AMD-ORDER-12." in verdict(
        lines
    )
    assert verdict(lines).startswith("The adapter works; ")
    assert "Run `loopspec run 'cmd:" in verdict(lines)
    assert marks(lines)["conversation"] == "✓"


MAIN = 'if __name__ == "__main__":\n'
LOAD = '    elif method == "loader/load":\n'
ROLE = '"roles": ["loader"]}'
FAULTS = {
    "prints": (
        [(MAIN, f'{MAIN}    print("loading", flush=True)\n')],
        "answers initialize",
        (
            "it did not start as agreed: it printed 'loading' to its standard output, which is for messages only: "
            "print to standard error instead."
        ),
    ),
    "exits at once": (
        [(MAIN, f'{MAIN}    sys.exit("no license")\n')],
        "answers initialize",
        "it ended with exit code 1 before it answered initialize; stderr ends with 'no license'.",
    ),
    "another version": (
        [('"protocolVersion": 3', '"protocolVersion": 7')],
        "answers initialize",
        "it speaks version 7 of the protocol, and this suite speaks version 3",
    ),
    "no version": (
        [('if 3 not in params["protocolVersions"]', 'if 7 not in params["protocolVersions"]')],
        "answers initialize",
        "it speaks no version of the protocol that this suite speaks (3): this adapter speaks version 3.",
    ),
    "never answers": (
        [('    if method == "initialize":\n', '    if method == "initialize":\n        return\n')],
        "answers initialize",
        "it did not answer initialize within 0.3 s.",
    ),
    "an unknown capability": (
        [(ROLE, '"roles": ["loader"], "capabilities": ["clairvoyance"]}')],
        "declares",
        "declares the capability 'clairvoyance', which is none: see `loopspec capabilities`.",
    ),
    "an unknown role": ([(ROLE, '"roles": ["lodger"]}')], "declares", "declares the role 'lodger'"),
    "another name each time": (
        [('"version": "1"', '"version": str(__import__("os").getpid())')],
        "starts again",
        "To fix it: give one implementation one name and one version.",
    ),
    "no ping": ([('("ping", "case/end")', '("case/end",)')], "ping", "it does not know ping"),
    "no idle": ([(ROLE, '"roles": ["loader"], "idle": True}')], "idle", "it does not know idle"),
    "crashes in a case": (
        [(LOAD, f'{LOAD}        sys.exit("out of memory")\n')],
        "role loader",
        "ended with exit code 1 before it answered loader/load; stderr ends with 'out of memory'.",
    ),
    "hangs in a case": (
        [(LOAD, f"{LOAD}        next(messages())\n        return\n")],
        "role loader",
        "did not answer loader/load within 0.3 s",
    ),
    "keeps to no schema": (
        [(LOAD, f'{LOAD}        send(id=message["id"], result={{"value": {{"sections": "none"}}}})\n        return\n')],
        "role loader",
        'it answered loader/load with \'{"value": {"sections": "none"}}\': Expected `array`, got `str`',
    ),
    "case/end is not known": ([('("ping", "case/end")', '("ping",)')], "role loader", "it does not know case/end"),
}


@pytest.mark.parametrize(("instead", "step", "said"), FAULTS.values(), ids=FAULTS)
def test_an_adapter_at_fault(
    doctor: Doctor, altered: Callable[..., str], instead: list[tuple[str, str]], step: str, said: str
) -> None:
    """The failing step is the last step, and the last sentence names the cause."""
    hasty = ["--timeout", "0.3"] if "0.3" in said else []

    code, lines = doctor(altered(*instead), *hasty)

    assert code == 4
    assert [what for what, mark in marks(lines).items() if mark == "✗"] == [step] == list(marks(lines))[-1:]
    assert verdict(lines).startswith("The adapter is at fault: ")
    assert said in verdict(lines)
    assert max(map(len, lines)) <= 80


def test_the_evidence_of_an_adapter_is_shown(doctor: Doctor, altered: Callable[..., str]) -> None:
    """The last messages, the end of standard error and the command that repeats the case are shown."""
    noise = 'print(*range(40), sep="\\n", file=sys.stderr)'
    target = altered((LOAD, f"{LOAD}        {noise}\n        sys.exit(3)\n"))

    _, lines = doctor(target)

    at = lines.index("the end of standard error:")
    assert [line.strip() for line in lines[at + 1 : at + 7]] == ["34", "35", "36", "37", "38", "39"]
    assert any(line.startswith('  > {"jsonrpc":"2.0","id":"h2","method":"loader/load"') for line in lines)
    assert "--case 'AMD-" in verdict(lines)


def test_a_missing_command_is_named(doctor: Doctor) -> None:
    """The error names the command and the folder where it is looked up."""
    code, lines = doctor("cmd:./no-such-adapter --fast")

    assert (code, marks(lines)) == (4, {"command": "✗"})
    assert "there is no command './no-such-adapter' that can be executed in" in verdict(lines)


def test_an_adapter_that_does_not_exit_is_marked(doctor: Doctor, altered: Callable[..., str]) -> None:
    """An adapter that does not exit is ended by a signal and passes."""
    target = altered(("        answer(asked)\n", '        answer(asked)\n    __import__("time").sleep(600)\n'))

    code, lines = doctor(target)

    assert (code, marks(lines)["exit"]) == (0, "–")
    assert "– exit                did not exit on request: it was ended by SIGTERM" in lines


def test_an_adapter_in_python_that_hangs(tmp_path: Path) -> None:
    """The doctor does not wait for a hanging adapter."""
    hanging = "import time\n\nclass Adapter:\n    def load(self, *given):\n        time.sleep(600)\n"
    (tmp_path / "hanging.py").write_text(hanging)

    ran = run_loopspec(tmp_path, "doctor", "py:hanging:Adapter", "--timeout", "0.3")

    assert ran.code == 4
    assert "did not return within 0.3 s" in " ".join(ran.said.split())


def test_control_characters_of_an_adapter_are_escaped(doctor: Doctor, altered: Callable[..., str]) -> None:
    """Control characters in names and output are escaped."""
    target = altered(
        ('"a loader of', '"a \\x1b[31m\\nred loader of'), (LOAD, f'{LOAD}        sys.exit("\\x1b[2J[bold]")\n')
    )

    _, lines = doctor(target)

    assert "✓ identity            a \\x1b[31m\\x0ared loader of the standard library 1, python" in lines
    assert "  \\x1b[2J[bold]" in lines
    assert not any("\x1b" in line for line in lines)


@pytest.mark.parametrize("target", ['cmd:"', "cmd:", "py:no.such.module:Adapter", "gopher:x"])
def test_a_wrong_command_is_no_fault_of_an_adapter(target: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A usage error has the same form as in every other command."""
    assert main(["doctor", target]) == 2
    assert capsys.readouterr().err.startswith("loopspec: ")


@pytest.mark.parametrize(
    ("factory", "said"),
    [
        ("raise ValueError('no key')", "ValueError: no key"),
        ("return type('A', (), {'load': lambda *_: None})()", "load() returned None"),
    ],
    ids=["cannot be built", "returns nonsense"],
)
def test_an_adapter_in_python(
    doctor: Doctor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, factory: str, said: str
) -> None:
    """An adapter in Python is examined in the same way."""
    name = f"adapter_of_{tmp_path.name}"
    (tmp_path / f"{name}.py").write_text(f"def make():\n    {factory}\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)

    code, lines = doctor(f"py:{name}:make")

    assert code == 4
    assert said in verdict(lines)
