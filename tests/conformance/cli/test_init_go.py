"""`loopspec init go` writes an adapter that builds and can be judged unchanged."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from ..begun import LOADERS, PASSED_BY_THE_PLACEHOLDER, begun, examined, longest, passed, tried
from ..process import run_loopspec

SOURCES = ["main.go", "rpc.go", "loader.go"]


def test_the_template_is_short(tmp_path: Path) -> None:
    """Every file is short and narrow, and one line prints the next command."""
    wrote, now = begun("go", tmp_path)

    assert wrote == ["go.mod", *SOURCES, "loopspec-baseline.toml", "loopspec-ci.yml"]
    assert now == (
        'go build -o loopspec-adapter . && loopspec run cmd:"./loopspec-adapter" --baseline loopspec-baseline.toml'
    )
    lines, width = longest(tmp_path, SOURCES)
    assert lines <= 100
    assert width <= 120
    assert 'loopspec run cmd:"./loopspec-adapter" --baseline' in (tmp_path / "loopspec-ci.yml").read_text()


@pytest.mark.long
def test_go_tools_accept_the_template(tmp_path: Path, go: Callable[..., str]) -> None:
    """The files are formatted and vetted, and import only the standard library."""
    begun("go", tmp_path)

    assert go(tmp_path, "gofmt", "-l", ".") == ""
    assert go(tmp_path, "go", "vet", ".") == ""
    assert go(tmp_path, "go", "list", "-m", "all") == "loopspec-adapter\n"


@pytest.mark.long
def test_the_template_is_judged_unchanged(tmp_path: Path, go: Callable[..., str]) -> None:
    """The placeholder loader passes some rules and fails others, without errors."""
    _, now = begun("go", tmp_path)

    ended, report = tried(now, tmp_path, "--area=AMD-*")

    assert (ended.code, report.run.identity.name, report.run.roles) == (1, "my loader", ("loader",))
    assert passed(report.verdicts) >= PASSED_BY_THE_PLACEHOLDER


@pytest.mark.long
def test_the_doctor_accepts_the_template(tmp_path: Path, go: Callable[..., str]) -> None:
    """The doctor accepts the template unchanged, from the handshake to the smoke cases."""
    _, now = begun("go", tmp_path)

    ended = examined(now, tmp_path)

    assert (ended.code, ended.said.splitlines()[-1]) == (0, "The smoke cases pass; `loopspec run` judges the others.")


@pytest.mark.long
def test_a_loader_that_passes_the_rules_is_conformant(tmp_path: Path, go: Callable[..., str]) -> None:
    """A correct loader replaces the placeholder without other changes; no byte is lost on the way."""
    _, now = begun("go", tmp_path)
    shutil.copy(LOADERS / "loader.go", tmp_path)

    ended, report = tried(now, tmp_path, "--strict", "--area=AMD-*")

    assert ended.said.splitlines()[-1] == "cmd:./loopspec-adapter is conformant."
    assert ended.code == 0
    assert 'AMD-IMPORT-13 :: The text "\\xff\\xfe@b.md\\xff", special bytes next to an import' in passed(
        report.verdicts
    )  # sent as base64


@pytest.mark.long
def test_in_a_go_module_the_template_belongs_to_the_module(tmp_path: Path, go: Callable[..., str]) -> None:
    """In an existing module, the adapter can import the loader under test."""
    (tmp_path / "go.mod").write_text("module example.com/mine\n\ngo 1.21\n")

    wrote, _ = begun("go", tmp_path / "conformance")

    assert "go.mod" not in wrote
    assert go(tmp_path, "go", "list", "./...") == "example.com/mine/conformance\n"
    assert go(tmp_path, "go", "vet", "./...") == ""


def test_init_rejects_a_folder_with_another_package(tmp_path: Path) -> None:
    """A Go folder holds one package, and the adapter's package is called main."""
    (tmp_path / "mine.go").write_text("package mine\n")

    ended = run_loopspec(tmp_path, "init", "go")

    assert ended.code == 2
    assert ended.said == "loopspec: there is a Go package in . already: name another folder; nothing was written\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["broken.py", "mine.go"]
