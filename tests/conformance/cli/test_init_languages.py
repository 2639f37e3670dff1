"""`loopspec init` in Go and in Node writes adapters that are short, and that can be judged unchanged."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, NoReturn

import pytest

from ..begun import LOADERS, PASSED_BY_THE_PLACEHOLDER, begun, examined, longest, passed, tried

KITS = Path(__file__).parents[3] / "conformance" / "kits"
OF_EVERY_TEMPLATE = ["loopspec-baseline.toml", "loopspec-ci.yml"]


class Language(NamedTuple):
    """What `loopspec init` writes in a language: the files of a loader, the last of which is replaced; the command."""

    name: str
    sources: tuple[str, ...]
    others: tuple[str, ...]
    build: str
    target: str

    @property
    def kit(self) -> dict[str, str]:
        """The files of an agent: those of the kit, with the path of the new module in Go."""
        files = {path.relative_to(KITS / self.name).as_posix(): path for path in (KITS / self.name).rglob("*")}
        return {
            name: path.read_text(encoding="utf-8").replace("loopspec/kits/go", "loopspec-adapter")
            for name, path in sorted(files.items())
            if path.suffix in (".go", ".md", ".mod", ".mjs") and not name.endswith("_test.go")
        }


GO = Language(
    "go", ("main.go", "rpc.go", "loader.go"), ("go.mod",), "go build -o loopspec-adapter . && ", "./loopspec-adapter"
)
NODE = Language("node", ("adapter.mjs", "loader.mjs"), (), "", "node adapter.mjs")


@pytest.fixture(params=[GO, NODE], ids=lambda language: language.name)
def language(request: pytest.FixtureRequest) -> Language:
    """Each language."""
    found: Language = request.param
    return found


@pytest.fixture
def installed(language: Language, do_without: Callable[[str, str], NoReturn]) -> Language:
    """Each language, if its tools are installed."""
    if shutil.which(language.name) is None:
        do_without(language.name, f"{language.name} is not installed")
    return language


def test_the_template_of_a_loader_is_short(language: Language, tmp_path: Path) -> None:
    """Every file is short and narrow, and one line prints the next command."""
    wrote, now = begun(language.name, tmp_path)

    command = f'loopspec run cmd:"{language.target}" --baseline'
    assert wrote == [*language.others, *language.sources, *OF_EVERY_TEMPLATE]
    assert now == f"{language.build}{command} loopspec-baseline.toml"
    lines, width = longest(tmp_path, language.sources)
    assert lines <= 100
    assert width <= 120
    assert command in (tmp_path / "loopspec-ci.yml").read_text()


def test_the_kit_is_written_unchanged(language: Language, tmp_path: Path) -> None:
    """Each file of the kit is copied without its tests; a file is short and narrow."""
    wrote, now = begun(language.name, tmp_path, "agent")

    assert wrote == [*language.kit, *OF_EVERY_TEMPLATE]
    assert {name: (tmp_path / name).read_text(encoding="utf-8") for name in language.kit} == language.kit
    assert now == f'{language.build}loopspec run cmd:"{language.target}" --baseline loopspec-baseline.toml'
    lines, width = longest(tmp_path, [name for name in language.kit if name.endswith((".go", ".mjs"))])
    assert lines <= 300
    assert width <= 120


@pytest.mark.long
@pytest.mark.parametrize("role", ["loader", "agent"])
def test_the_doctor_accepts_the_template(role: str, installed: Language, tmp_path: Path) -> None:
    """The doctor accepts the template unchanged, from the handshake to the smoke cases."""
    _, now = begun(installed.name, tmp_path, role)

    ended = examined(now, tmp_path)

    assert (ended.code, ended.said.splitlines()[-1]) == (0, "The smoke cases pass; `loopspec run` judges the others.")


@pytest.mark.long
def test_a_loader_is_judged_unchanged(installed: Language, tmp_path: Path) -> None:
    """The placeholder loader passes some rules and fails others, without errors."""
    _, now = begun(installed.name, tmp_path)

    ended, report = tried(now, tmp_path, "--area=AMD-*")

    assert (ended.code, report.run.identity.name, report.run.roles) == (1, "my loader", ("loader",))
    assert passed(report.verdicts) >= PASSED_BY_THE_PLACEHOLDER


@pytest.mark.long
def test_an_agent_is_judged_unchanged(installed: Language, tmp_path: Path) -> None:
    """The loop of a page passes most of its cases, and the adapter causes no error."""
    _, now = begun(installed.name, tmp_path, "agent")

    ended, report = tried(now, tmp_path, "-n", "2")

    verdicts = list(report.verdicts.values())
    assert (ended.code, report.run.identity.name, report.run.roles) == (1, "my agent", ("agent",))
    assert len(passed(report.verdicts)) >= 120
    assert verdicts.count("passed") > (20 if installed is GO else 5) * verdicts.count("failed")


@pytest.mark.long
def test_a_loader_that_passes_the_rules_is_conformant(installed: Language, tmp_path: Path) -> None:
    """A correct loader replaces the placeholder, also one that prints; no byte is lost on the way."""
    _, now = begun(installed.name, tmp_path)
    shutil.copy(LOADERS / installed.sources[-1], tmp_path)

    ended, report = tried(now, tmp_path, "--strict", "--area=AMD-*")

    assert (ended.code, ended.said.splitlines()[-1]) == (0, f"cmd:{installed.target} is conformant.")
    assert 'AMD-IMPORT-13 :: The text "\\xff\\xfe@b.md\\xff", special bytes next to an import' in passed(
        report.verdicts
    )  # sent as base64
