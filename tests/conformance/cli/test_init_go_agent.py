"""`loopspec init go --role agent` writes a kit, and an adapter on the kit that can be judged unchanged."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from ..begun import longest
from ..process import reported, run_loopspec

KIT = Path(__file__).parents[3] / "conformance" / "kits" / "go"
EINO = KIT.parents[1] / "adapters" / "eino"
FILES = {
    path.relative_to(KIT).as_posix(): path.read_text(encoding="utf-8")
    for path in KIT.rglob("*")
    if path.suffix in (".go", ".md", ".mod") and not path.name.endswith("_test.go")
}


def _begun(folder: Path) -> tuple[list[str], list[str]]:
    """The names of the written files, and the arguments of `loopspec` after the adapter is built."""
    folder.mkdir(exist_ok=True)
    *lines, now = run_loopspec(folder, "init", "go", "--role", "agent").said.splitlines()
    wrote = [line.removeprefix("wrote ") for line in lines if line.startswith("wrote ")]
    build, run = now.removeprefix("now: ").split(" && ")
    assert build == "go build -o loopspec-adapter ."
    return wrote, shlex.split(run.removeprefix("loopspec "))


def test_the_kit_is_written_unchanged(tmp_path: Path) -> None:
    """Each file is copied without the tests of the kit; only the path of the module differs. Files are short."""
    wrote, now = _begun(tmp_path)

    assert wrote == [*sorted(FILES), "loopspec-baseline.toml", "loopspec-ci.yml"]
    for name, text in FILES.items():
        assert (tmp_path / name).read_text(encoding="utf-8") == text.replace("loopspec/kits/go", "loopspec-adapter")
    assert now == ["run", "cmd:./loopspec-adapter", "--baseline", "loopspec-baseline.toml"]
    lines, width = longest(tmp_path, [name for name in FILES if name.endswith(".go")])
    assert lines <= 300
    assert width <= 120


def test_the_adapter_imports_the_kit_of_its_own_module(tmp_path: Path) -> None:
    """In an existing module, the kit is a package of the module, so the adapter can import the agent under test."""
    (tmp_path / "go.mod").write_text("module example.com/mine // an agent\n\ngo 1.21\n")

    wrote, _ = _begun(tmp_path / "conformance")

    assert "go.mod" not in wrote
    imported = re.findall(r'^\t"(.*/loopspec)"$', (tmp_path / "conformance/main.go").read_text(), re.MULTILINE)
    assert imported == ["example.com/mine/conformance/loopspec"]


def test_the_kit_is_not_about_eino() -> None:
    """The kit imports the standard library and itself; eino's own part is smaller than the kit."""
    imported = {
        path for text in FILES.values() for path in re.findall(r'^\t(?:\w+ )?"([\w./-]+)"$', text, re.MULTILINE)
    }
    assert {path for path in imported if "." in path or "loopspec" in path} == {"loopspec/kits/go/loopspec"}
    assert not any("eino" in text for text in FILES.values())

    own = [path for path in EINO.glob("*.go") if not path.name.endswith("_test.go")]
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in own) <= 2200


@pytest.mark.long
def test_go_tools_accept_the_kit(go: Callable[..., str]) -> None:
    """The kit is formatted and vetted, and the tests of the kit pass."""
    assert go(KIT, "gofmt", "-l", ".") == ""
    assert go(KIT, "go", "vet", "./...") == ""
    assert "\nok  \tloopspec/kits/go/loopspec" in "\n" + go(KIT, "go", "test", "./...")


@pytest.mark.long
def test_go_tools_accept_the_adapter_in_a_module(tmp_path: Path, go: Callable[..., str]) -> None:
    """In an existing module, the module contains the adapter and the kit."""
    (tmp_path / "go.mod").write_text("module example.com/mine\n\ngo 1.21\n")
    _begun(tmp_path / "conformance")

    assert go(tmp_path, "gofmt", "-l", ".") == ""
    assert go(tmp_path, "go", "vet", "./...") == ""
    listed = go(tmp_path, "go", "list", "./...").split()
    assert listed == ["example.com/mine/conformance", "example.com/mine/conformance/loopspec"]


@pytest.mark.long
def test_the_adapter_is_judged_unchanged(tmp_path: Path, go: Callable[..., str]) -> None:
    """The loop of a page passes most of its cases, and the adapter causes no error."""
    _, now = _begun(tmp_path)
    go(tmp_path, "go", "build", "-o", "loopspec-adapter", ".")

    ended = run_loopspec(tmp_path, *now, "-n", "2", "--report", "report.jsonl")
    report = reported(tmp_path / "report.jsonl")

    verdicts = list(report.verdicts.values())
    assert (ended.code, report.run.identity.name, report.run.roles) == (1, "my agent", ("agent",))
    assert set(verdicts) <= {"passed", "failed", "inapplicable"}
    assert verdicts.count("passed") >= 120
    assert verdicts.count("passed") > 20 * verdicts.count("failed")


@pytest.mark.long
def test_the_doctor_accepts_the_adapter(tmp_path: Path, go: Callable[..., str]) -> None:
    """The doctor accepts the adapter unchanged, from the handshake to the smoke cases."""
    _, now = _begun(tmp_path)
    go(tmp_path, "go", "build", "-o", "loopspec-adapter", ".")

    ended = run_loopspec(tmp_path, "doctor", now[1])

    assert (ended.code, ended.said.splitlines()[-1]) == (0, "The smoke cases pass; `loopspec run` judges the others.")


@pytest.mark.long
def test_a_double_in_a_foreign_context_is_a_fault(tmp_path: Path, go: Callable[..., str]) -> None:
    """An adapter that drops the context is at fault, and the message says what to do."""
    _, now = _begun(tmp_path)
    main = tmp_path / "main.go"
    main.write_text(main.read_text().replace("parts.Model.Generate(ctx, ", "parts.Model.Generate(context.TODO(), "))
    go(tmp_path, "go", "build", "-o", "loopspec-adapter", ".")

    ended = run_loopspec(tmp_path, *now, "--rule", "LOOP-01", "--report", "report.jsonl")

    assert set(reported(tmp_path / "report.jsonl").verdicts.values()) == {"errored"}
    assert "model/generate is called in a context that belongs to no case: pass the context on" in ended.said


@pytest.mark.long
def test_a_crash_in_a_conversion_is_a_fault(tmp_path: Path, go: Callable[..., str]) -> None:
    """A panic in `FromWire` is a fault of the adapter, and does not pass for behavior of the implementation."""
    _, now = _begun(tmp_path)
    main = tmp_path / "main.go"
    head = "func (adapter) FromWire(sent loopspec.Message) *Message {\n"
    assert head in main.read_text()
    main.write_text(main.read_text().replace(head, head + '\tif sent.Role == "assistant" {\n\t\tpanic("mine")\n\t}\n'))
    go(tmp_path, "go", "build", "-o", "loopspec-adapter", ".")

    ended = run_loopspec(tmp_path, *now, "--rule", "LOOP-01", "--report", "report.jsonl")

    assert set(reported(tmp_path / "report.jsonl").verdicts.values()) == {"errored"}
    assert "mine" in ended.said


def test_no_file_is_overwritten(tmp_path: Path) -> None:
    """A file that exists stops the command before anything is written."""
    (tmp_path / "loopspec").mkdir()
    (tmp_path / "loopspec" / "doc.go").write_text("mine")

    ended = run_loopspec(tmp_path, "init", "go", "--role", "agent")

    assert ended.code == 2
    assert ended.said == "loopspec: loopspec/doc.go exists already: nothing was written\n"
    assert not (tmp_path / "main.go").exists()
