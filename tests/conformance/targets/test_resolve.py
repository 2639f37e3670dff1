"""A target string is resolved to a target, which imports a part of the reference when a scene first needs it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from loopspec.contract.capabilities import CAPABILITIES
from loopspec.contract.faults import TargetUnusable, UsageError
from loopspec.contract.roles import ROLES
from loopspec.targets.resolve import resolve


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A temporary current folder; modules imported from it are removed again."""
    before = set(sys.modules)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


def test_the_reference_has_every_role_and_every_capability() -> None:
    """Every rule can be tried on the reference."""
    target = resolve("reference")

    assert (target.roles, target.capabilities) == (frozenset(ROLES), frozenset(CAPABILITIES))
    target.close()


def test_modules_in_the_current_folder_precede_others(here: Path) -> None:
    """Packages are found too; the folder is added to the path once."""
    (here / "pack").mkdir()
    (here / "pack/mine.py").write_text("class Mine:\n    name = 'mine'\n    def load(self): ...\n", encoding="utf-8")
    (here / "other.py").write_text("from pack.mine import Mine as build\n", encoding="utf-8")

    names = [resolve(name).identity.name for name in ("py:pack.mine:Mine", "py:other:build")]

    assert names == ["mine", "mine"]
    assert sys.path.count(str(here)) == 1


@pytest.mark.parametrize("name", ["py:", "py::y"])
def test_an_incomplete_python_target_is_a_usage_error(name: str) -> None:
    """The sentence shows the right form."""
    with pytest.raises(UsageError) as error:
        resolve(name)

    wanted = f"there is no Python target {name!r}: use `reference`, or `py:package.module:factory`"
    assert str(error.value) == wanted


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("refrence", "reference"),
        ("references", "reference"),
        ("Reference", "reference"),
        ("pyy:mine:x", "py:mine:x"),
        ("cdm:./x --fast", "cmd:./x --fast"),
        ("mine:x", "py:mine:x"),
        ("pack.mine:x", "py:pack.mine:x"),
    ],
)
def test_a_similar_target_string_is_suggested(name: str, meant: str, here: Path) -> None:
    """The kind is misspelled, or missing before a module."""
    (here / "pack").mkdir()
    (here / "mine.py").touch()
    (here / "pack/mine.py").touch()

    with pytest.raises(UsageError) as error:
        resolve(name)

    assert str(error.value) == f"there is no target {name!r}: did you mean {meant!r}?"


@pytest.mark.parametrize("name", ["py:nowhere:x", "py:nowhere.inside:x", "py:pack.nowhere:x"])
def test_a_missing_module_is_a_usage_error(name: str, here: Path) -> None:
    """The package or a module of it is missing."""
    (here / "pack").mkdir()
    (here / "pack/__init__.py").touch()

    with pytest.raises(UsageError, match=f"there is no module '{name.split(':')[1]}' here"):
        resolve(name)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("py:mine", "'py:mine' names no factory"),
        ("py:mine:", "'py:mine:' names no factory"),
        ("py:mine:nothing", "the module mine has no factory 'nothing'"),
        ("py:mine:NUMBER", "'NUMBER' of the module mine is no factory, but an object of int"),
    ],
)
@pytest.mark.parametrize(
    ("source", "such"),
    [("", ""), ("from pathlib import Path\nclass _Own: ...\nclass Mine: ...\n", ", such as 'py:mine:Mine'")],
)
def test_a_missing_factory_is_a_usage_error(name: str, sentence: str, source: str, such: str, here: Path) -> None:
    """The name is missing, unknown or not callable; what the module does not import or hide is suggested."""
    (here / "mine.py").write_text(f"{source}NUMBER = 7\n", encoding="utf-8")

    with pytest.raises(UsageError) as error:
        resolve(name)

    assert str(error.value) == f"{sentence}: name a class or a function that makes the target{such}"


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("import not_installed.x", "the module mine needs 'not_installed', which is not installed"),
        ("1 / 0", "the module mine cannot be imported: ZeroDivisionError: division by zero (mine.py:1)"),
        ("raise SystemExit(3)", "the module mine cannot be imported: SystemExit: 3 (mine.py:1)"),
        (
            "raise RuntimeError('no database:\\n  start one\\n')",
            "the module mine cannot be imported: RuntimeError: no database: start one (mine.py:1)",
        ),
    ],
)
def test_a_module_that_fails_makes_the_target_unusable(source: str, sentence: str, here: Path) -> None:
    """The name of the module is right."""
    (here / "mine.py").write_text(source, encoding="utf-8")

    with pytest.raises(TargetUnusable) as error:
        resolve("py:mine:x")

    assert str(error.value) == sentence


JUDGE = """
import sys
from loopspec.engine.judge import judge
from loopspec.specification.features import cases_of_rule
from loopspec.targets.resolve import resolve

target = resolve("reference")
print(*sorted(name for name in sys.modules if name.startswith("loopspec_reference.")))
print(*{judge(case, target).verdict for case in cases_of_rule(sys.argv[1])})
print(*sorted(sys.modules))
"""


@pytest.mark.parametrize(
    ("rule", "agent", "plugins"), [("AMD-DEPTH-02", False, False), ("LOOP-01", True, False), ("XP-SUM-01", True, True)]
)
def test_a_scene_imports_what_it_needs(rule: str, agent: bool, plugins: bool) -> None:
    """A target that is only resolved imports nothing of the reference."""
    done = subprocess.run([sys.executable, "-c", JUDGE, rule], capture_output=True, text=True, check=True)
    resolved, verdicts, imported = done.stdout.splitlines()

    assert (resolved, verdicts) == ("", "passed")
    assert ("loopspec_reference_adapter.agent" in imported.split()) is agent
    assert ("loopspec_reference.plugins" in imported.split()) is plugins
