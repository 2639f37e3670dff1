"""`loopspec init go`: modules and packages of Go, and the faults that the kit for agents finds."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from ..begun import begun, tried
from ..process import run_loopspec

KIT = Path(__file__).parents[3] / "conformance" / "kits" / "go"
EINO = KIT.parents[1] / "adapters" / "eino"


@pytest.mark.long
def test_go_tools_accept_the_template(tmp_path: Path, go: Callable[..., str]) -> None:
    """The files are formatted and vetted, and import only the standard library."""
    begun("go", tmp_path)

    assert go(tmp_path, "gofmt", "-l", ".") == ""
    assert go(tmp_path, "go", "vet", ".") == ""
    assert go(tmp_path, "go", "list", "-m", "all") == "loopspec-adapter\n"


def test_the_adapter_imports_the_kit_of_its_own_module(tmp_path: Path) -> None:
    """In an existing module, the kit is a package of the module."""
    (tmp_path / "go.mod").write_text("module example.com/mine // an agent\n\ngo 1.21\n")

    begun("go", tmp_path / "conformance", "agent")

    main = (tmp_path / "conformance/main.go").read_text()
    assert re.findall(r'^\t"(.*/loopspec)"$', main, re.MULTILINE) == ["example.com/mine/conformance/loopspec"]


@pytest.mark.long
@pytest.mark.parametrize(("role", "kit"), [("loader", []), ("agent", ["example.com/mine/conformance/loopspec"])])
def test_in_a_go_module_the_template_belongs_to_the_module(
    role: str, kit: list[str], tmp_path: Path, go: Callable[..., str]
) -> None:
    """In an existing module, the adapter can import the loader or the agent under test, and the kit is a package."""
    (tmp_path / "go.mod").write_text("module example.com/mine // an agent\n\ngo 1.21\n")

    wrote, _ = begun("go", tmp_path / "conformance", role)

    assert "go.mod" not in wrote
    assert go(tmp_path, "go", "list", "./...").split() == ["example.com/mine/conformance", *kit]
    assert go(tmp_path, "gofmt", "-l", ".") == go(tmp_path, "go", "vet", "./...") == ""


def test_init_rejects_a_folder_with_another_package(tmp_path: Path) -> None:
    """A Go folder holds one package, and the adapter's package is called main."""
    (tmp_path / "mine.go").write_text("package mine\n")

    ended = run_loopspec(tmp_path, "init", "go")

    assert ended.code == 2
    assert ended.said == "loopspec: there is a Go package in . already: name another folder; nothing was written\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["broken.py", "mine.go"]


@pytest.mark.long
def test_go_tools_accept_the_kit(go: Callable[..., str]) -> None:
    """The kit is formatted and vetted, and the tests of the kit pass."""
    assert go(KIT, "gofmt", "-l", ".") == ""
    assert go(KIT, "go", "vet", "./...") == ""
    assert "\nok  \tloopspec/kits/go/loopspec" in "\n" + go(KIT, "go", "test", "./...")


def test_the_kit_is_not_about_eino() -> None:
    """The kit imports the standard library and itself; eino's own part is smaller than the kit."""
    texts = [path.read_text("utf-8") for path in KIT.rglob("*.go") if not path.name.endswith("_test.go")]
    imported = {path for text in texts for path in re.findall(r'^\t(?:\w+ )?"([\w./-]+)"$', text, re.MULTILINE)}
    own = [path for path in EINO.glob("*.go") if not path.name.endswith("_test.go")]

    assert {path for path in imported if "." in path or "loopspec" in path} == {"loopspec/kits/go/loopspec"}
    assert not any("eino" in text for text in texts)
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in own) <= 2200


FROM_WIRE = "func (adapter) FromWire(sent loopspec.Message) *Message {\n"


@pytest.mark.long
@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (
            "parts.Model.Generate(ctx, ",
            "parts.Model.Generate(context.TODO(), ",
            "model/generate is called in a context that belongs to no case: pass the context on",
        ),
        (FROM_WIRE, FROM_WIRE + '\tif sent.Role == "assistant" {\n\t\tpanic("mine")\n\t}\n', "mine"),
    ],
    ids=["a foreign context", "a crash in a conversion"],
)
def test_a_mistake_of_the_adapter_is_a_fault(
    old: str, new: str, sentence: str, tmp_path: Path, go: Callable[..., str]
) -> None:
    """It does not pass for behavior of the implementation, and the message says what to do."""
    _, now = begun("go", tmp_path, "agent")
    main = tmp_path / "main.go"
    text = main.read_text()
    assert old in text
    main.write_text(text.replace(old, new))

    ended, report = tried(now, tmp_path, "--rule", "LOOP-01", "--variants", "none")

    assert set(report.verdicts.values()) == {"errored"}
    assert sentence in ended.said
