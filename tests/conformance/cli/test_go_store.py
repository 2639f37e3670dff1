"""The kit for Go serves a store: the one in the README of the kit, unchanged and with a bug."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from ..process import Ended, reported, run_loopspec

pytestmark = pytest.mark.long

Go = Callable[..., str]
HEAD = ") ([]byte, error) {\n"


def _judged(folder: Path, go: Go, *options: str, bug: str = "", imports: tuple[str, ...] = ()) -> Ended:
    """The README's store replaces the agent of `init`, is built and is judged; `bug` begins each read."""
    run_loopspec(folder, "init", "go", "--role", "agent")
    readme = (folder / "loopspec" / "README.md").read_text(encoding="utf-8")
    ((name, text),) = re.findall(r"^```go (\S+)\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    assert text.count(HEAD) == 1
    text = text.replace(HEAD, HEAD + f"\t{bug}\n" * bool(bug))
    text = text.replace("import (\n", "import (\n" + "".join(f'\t"{one}"\n' for one in imports))
    for replaced in ("loop.go", "hooks.go"):
        (folder / replaced).unlink()
    (folder / name).write_text(text, encoding="utf-8")
    go(folder, "go", "build", "-o", "loopspec-adapter", ".")
    return run_loopspec(folder, "run", "cmd:./loopspec-adapter", "--strict", "--report", "report.jsonl", *options)


def test_the_store_in_the_readme_is_conformant(tmp_path: Path, go: Go) -> None:
    """A map of paths passes every rule that applies, also those on open descriptors, threads and goroutines."""
    ended = _judged(tmp_path, go)
    report = reported(tmp_path / "report.jsonl")

    assert ended.code == 0, ended.said
    assert (report.run.roles, report.run.capabilities) == (("backend",), ("resources",))
    assert set(report.verdicts.values()) == {"passed", "inapplicable"}
    passed = {case.partition(" :: ")[0] for case, verdict in report.verdicts.items() if verdict == "passed"}
    assert {"AMD-BACKEND-05", "BACKEND-07", "BACKEND-41", "BACKEND-42", "BACKEND-43"} <= passed
    assert go(tmp_path, "gofmt", "-l", ".") == ""


@pytest.mark.parametrize(
    ("rule", "bug", "imports"),
    [
        ("BACKEND-41", "_, _ = syscall.Open(os.DevNull, 0, 0)", ("os", "syscall")),
        ("BACKEND-42", "go func() { runtime.LockOSThread(); select {} }()", ("runtime",)),
        ("BACKEND-43", "go func() { select {} }()", ()),
    ],
)
def test_a_read_that_leaves_something_open_fails(
    tmp_path: Path, go: Go, rule: str, bug: str, imports: tuple[str, ...]
) -> None:
    """The kit counts files that are not closed, threads and goroutines."""
    ended = _judged(tmp_path, go, "--rule", rule, bug=bug, imports=imports)

    assert ended.code == 1, ended.said
    assert set(reported(tmp_path / "report.jsonl").verdicts.values()) - {"inapplicable"} == {"failed"}


def test_a_panic_of_a_store_is_an_error_of_the_read(tmp_path: Path, go: Go) -> None:
    """The adapter continues: each case has a verdict, and none is a crash or a fault of the adapter."""
    ended = _judged(tmp_path, go, "--rule", "AMD-BACKEND-05", bug='panic("not mine")')

    assert ended.code == 1
    assert set(reported(tmp_path / "report.jsonl").verdicts.values()) == {"failed", "inapplicable"}
    assert "panic: not mine" in ended.said


def test_a_declared_capability_without_its_method_is_a_fault(tmp_path: Path, go: Go) -> None:
    """The sentence names the missing method."""
    _judged(tmp_path, go, "--rule", "BACKEND-04")
    main = tmp_path / "main.go"
    main.write_text(main.read_text().replace('Version: "1.0.0",', 'Version: "1.0.0", Capabilities: []string{"edits"},'))
    go(tmp_path, "go", "build", "-o", "loopspec-adapter", ".")

    ended = run_loopspec(tmp_path, "run", "cmd:./loopspec-adapter", "--rule", "BACKEND-04", "--report", "edits.jsonl")

    assert set(reported(tmp_path / "edits.jsonl").verdicts.values()) == {"errored"}
    assert "has no method Write, which a declared capability requires" in ended.said
