"""What pytest and pytest-bdd get wrong in silence: that it is so here, and that it does not reach us.

Each test first springs the trap, so that it is noticed when the trap is gone.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn, cast

import pytest
from pytest_bdd.parser import FeatureParser

from loopspec.contract.faults import SuiteError
from loopspec.contract.specification import features_root
from loopspec.engine.result import CaseLine
from loopspec.pytest_plugin.binding import IgnoresTags, ScenarioRun
from loopspec.reports.jsonl import read_report
from loopspec.specification.cases import Case
from loopspec.specification.compiling import compile_feature
from loopspec.specification.features import compiled
from loopspec_steps import BOOK, PhraseBook, PhraseError, ScenarioBuilder
from loopspec_steps.phrasebook import Kind

FEATURES = sorted(features_root().rglob("*.feature"))
ONE = "Feature: F\n  Rule: R\n    Scenario: S\n      Given something\n"
BIND = "from pytest_bdd import given, parsers, scenarios\nscenarios('a.feature')\n"
PASS = BIND + "@given('something')\ndef _(): pass\n"
STEPS = "      When the AgentsMD middleware is created\n      Then creating the middleware succeeds\n"
RULE = "  @SMALL-0{n} @derived\n  Rule: R{n}\n    Scenario: S\n" + STEPS


@pytest.fixture
def bdd(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """Runs pytest in this process with pytest-bdd and loopspec, and with nothing else that is installed."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTEST_PLUGINS", "pytest_bdd.plugin,loopspec_pytest")
    assert BOOK.phrases  # pytester forgets what a run imports first, and a second import would define the phrases again
    return pytester


def write(folder: Path, **files: str) -> None:
    """Write features, which have one letter for their names, and Python files."""
    for name, text in files.items():
        suffix = ".feature" if len(name) == 1 else ".py"
        (folder / f"{name}{suffix}").write_text(text, encoding="utf-8")


def test_an_async_step_is_never_awaited(bdd: pytest.Pytester) -> None:
    """pytest-bdd calls it, drops the coroutine and passes; the phrasebook takes no coroutine."""
    write(bdd.path, a=ONE, test_a=BIND + "@given('something')\nasync def _():\n    raise LookupError\n")

    async def phrase(scene_builder: object) -> None:
        raise LookupError

    bdd.runpytest_inprocess("-W", "ignore").assert_outcomes(passed=1)
    with pytest.raises(PhraseError, match="is a coroutine or generator"):
        PhraseBook().add("given", "something", cast("Callable[..., None]", phrase))


def test_of_two_scenarios_with_one_name_the_earlier_vanishes(bdd: pytest.Pytester) -> None:
    """Even in different rules; compiling refuses the second."""
    write(
        bdd.path,
        a=ONE + "  Rule: Another\n    Scenario: S\n      Given another\n",
        test_a=BIND + "@given('another')\ndef _(): pass\n",
    )
    text = "Feature: F\n" + RULE.format(n=1) + RULE.format(n=2)
    (bdd.path / "b.feature").write_text(text, encoding="utf-8")

    bdd.runpytest_inprocess().assert_outcomes(passed=1)
    with pytest.raises(SuiteError, match=r"b\.feature:9: a second scenario 'S'; pytest-bdd would lose one"):
        compile_feature("b.feature", text.encode())


def test_no_scenario_of_ours_is_lost_on_the_way_to_pytest(bdd: pytest.Pytester) -> None:
    """As many items as compiled cases, each its own, and the canary."""
    items, _ = bdd.inline_genitems("--loopspec-target=reference", "--strict-markers")

    assert len({item.nodeid for item in items}) == len(items) == len(compiled()) + 1


def test_of_two_steps_that_fit_a_sentence_one_wins_in_silence(bdd: pytest.Pytester) -> None:
    """The phrasebook refuses such a sentence."""
    steps = (
        "@given('something')\ndef _(): print('one of them')\n"
        "@given(parsers.parse('some{what}'))\ndef _(what): print('one of them')\n"
    )
    write(bdd.path, a=ONE, test_a=BIND + steps)
    book = PhraseBook()
    book.add("given", "something", lambda scene_builder: None)
    book.add("given", "some{what}", lambda scene_builder, what: None)

    ran = bdd.runpytest_inprocess("-s", "-Wignore")

    ran.assert_outcomes(passed=1)
    assert ran.stdout.str().count("one of them") == 1
    with pytest.raises(PhraseError, match="more than one phrase says: Given something"):
        book.match("given", "something")


SWALLOWING = """
import pytest
@pytest.hookimpl{how}
def pytest_bdd_apply_tag(tag, function):
    return True
"""


def test_tags_of_examples_become_markers_without_asking(bdd: pytest.Pytester) -> None:
    """Tags of rules can be swallowed, those of `Examples:` cannot: so none of ours has any."""
    outline = (
        "    Scenario Outline: S\n      Given some<x>\n\n{tag}      Examples:\n        | x     |\n        | thing |\n"
    )
    write(bdd.path, conftest=SWALLOWING.format(how="(tryfirst=True)"))
    write(bdd.path, a="Feature: F\n  @odd\n  Rule: R\n" + outline.format(tag=""), test_a=PASS)
    write(bdd.path, b="Feature: F\n  Rule: R\n" + outline.format(tag="      @odd\n"))
    write(bdd.path, test_b=PASS.replace("a.feature", "b.feature"))

    bdd.runpytest_inprocess("--strict-markers", "test_a.py").assert_outcomes(passed=1)
    tagged = bdd.runpytest_inprocess("--strict-markers", "test_b.py")

    tagged.stdout.fnmatch_lines(["*'odd' not found in `markers` configuration*"])
    assert [
        (path.name, template.name)
        for path in FEATURES
        for template in FeatureParser(str(features_root()), _relative(path)).parse().scenarios.values()
        if any(examples.tags for examples in template.examples)
    ] == []


@pytest.mark.parametrize(("how", "asked"), [("", False), ("(tryfirst=True)", True)])
def test_who_decides_about_tags_must_try_first(how: str, asked: bool, bdd: pytest.Pytester) -> None:
    """A plugin that is loaded before pytest-bdd is not asked otherwise; ours tries first."""
    write(bdd.path, a="@odd\n" + ONE, test_a=PASS)
    write(bdd.path, early=SWALLOWING.format(how=how))
    environment = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": "."}

    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "--strict-markers", "-pearly", "-ppytest_bdd.plugin"],
        cwd=bdd.path,
        env={**os.environ, **environment, "PYTEST_PLUGINS": ""},
        capture_output=True,
        text=True,
        check=False,
    )

    assert ("1 passed" in ran.stdout) is asked, ran.stdout
    assert vars(IgnoresTags.pytest_bdd_apply_tag)["pytest_impl"]["tryfirst"] is True


def test_a_keyword_only_parameter_of_a_step_stays_unfilled(bdd: pytest.Pytester) -> None:
    """pytest-bdd looks for no fixture of that name; the phrasebook refuses such a function."""
    step = "@given('something')\ndef _(*, tmp_path=None):\n    assert tmp_path is None\n"
    write(bdd.path, a=ONE, test_a=BIND + step)

    def phrase(scene_builder: object, *, path: str) -> None:
        """It would never be given the path."""

    bdd.runpytest_inprocess().assert_outcomes(passed=1)
    with pytest.raises(PhraseError, match="has parameters that cannot be filled by name"):
        PhraseBook().add("given", 'a file "{path}"', phrase)


def test_an_expected_failure_hides_a_bug_of_the_harness(bdd: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mark would; a baseline does not: only what a check found is known."""
    write(bdd.path, test_a="import pytest\n@pytest.mark.xfail\ndef test_a(): raise LookupError('a bug of ours')\n")
    (bdd.path / "b.toml").write_text('[[known]]\ncase = "AMD-CYCLE-01"\nreason = "so"\n', encoding="utf-8")

    def fail(self: object, *step: object) -> NoReturn:
        raise LookupError("a bug of ours")

    bdd.runpytest_inprocess("test_a.py").assert_outcomes(xfailed=1)
    monkeypatch.setattr(ScenarioRun, "take", fail)
    (bdd.path / "test_a.py").unlink()
    ran = bdd.runpytest_inprocess(
        "--loopspec-target=reference",
        "--loopspec-rule=AMD-CYCLE-01",
        "--loopspec-baseline=b.toml",
        "--loopspec-report=r",
    )

    (line,) = (line for line in read_report(bdd.path / "r") if isinstance(line, CaseLine))
    assert (line.verdict, line.message) == ("errored", "the suite itself failed: LookupError: a bug of ours")
    assert (ran.ret, "xfailed" in ran.parseoutcomes()) == (1, False)


def executed(folder: Path, name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """What an executable of this environment does; unlike `python -m`, it leaves the current folder off the path."""
    command = [str(Path(sys.executable).with_name(name)), *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=600)


@pytest.mark.long
def test_bare_pytest_does_not_look_into_the_current_folder(tmp_path: Path) -> None:
    """A target is found there all the same, by both commands."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_a.py").write_text("import nearby\ndef test_a(): pass\n", encoding="utf-8")
    (tmp_path / "nearby.py").write_text("from loopspec_reference_adapter import Memory\n", encoding="utf-8")
    rule = "AMD-BACKEND-05"

    bare = executed(tmp_path, "pytest", "--import-mode=importlib", "tests", "-pno:hypothesispytest")
    ours = executed(tmp_path, "loopspec", "run", "py:nearby:Memory", "--rule", rule)
    (tmp_path / "tests/test_a.py").unlink()
    plugin = executed(
        tmp_path, "pytest", "--loopspec-target=py:nearby:Memory", f"--loopspec-rule={rule}", "-pno:hypothesispytest"
    )

    assert "No module named 'nearby'" in bare.stdout
    assert (ours.returncode, ours.stdout.splitlines()[-1]) == (0, "py:nearby:Memory is conformant in 9 selected cases.")
    assert plugin.returncode == 0, plugin.stdout + plugin.stderr
    assert "loopspec py:nearby:Memory: normative rules: 1 passed" in plugin.stdout


@pytest.mark.long
def test_a_run_without_a_target_is_given_options_and_nothing_else(tmp_path: Path) -> None:
    """An installed loopspec costs other runs no more than that: no session, no marker, no slow import."""
    (tmp_path / "test_a.py").write_text(
        "import sys\n"
        "def test_a(request):\n"
        "    config = request.config\n"
        "    assert config.getoption('--loopspec-target') is None\n"
        "    assert config.pluginmanager.has_plugin('loopspec')\n"
        "    assert not config.pluginmanager.has_plugin('loopspec-session')\n"
        "    assert not [line for line in config.getini('markers') if line.startswith(('rule(', 'basis('))]\n"
        "    ours = {name for name in sys.modules if name.startswith(('loopspec', 'loopspec_steps'))}\n"
        "    assert ours == {'loopspec_pytest'}\n",
        encoding="utf-8",
    )
    imports = (
        "import sys, loopspec_pytest\n"
        "heavy = ('loopspec', 'loopspec_steps', 'pytest_bdd', 'gherkin', 'rich')\n"
        "print([name for name in heavy if name in sys.modules])"
    )

    run = executed(tmp_path, "pytest", "test_a.py")
    imported = executed(tmp_path, "python", "-c", imports)

    assert run.returncode == 0, run.stdout
    assert imported.stdout == "[]\n"


@pytest.mark.parametrize("path", FEATURES, ids=lambda path: path.stem)
def test_a_scene_is_the_same_under_pytest_bdd(path: Path) -> None:
    """Two parsers read each feature: what one renders step by step is what the other has compiled."""
    cases = {(case.template, case.row): case for case in compiled() if case.file == _relative(path)}
    feature = FeatureParser(str(features_root()), _relative(path)).parse()
    rendered: dict[tuple[str, tuple[str, ...]], Case] = {}

    for name, template in feature.scenarios.items():
        for context in [row for examples in template.examples for row in examples.as_contexts()] or [{}]:
            case = rendered[name, tuple(context.values())] = cases[name, tuple(context.values())]
            scenario, builder = template.render(context), ScenarioBuilder()
            checks = []
            for step in scenario.steps:
                kind: Kind = step.type  # type: ignore[assignment]  # pytest-bdd calls it a str
                table = [[str(cell) for cell in row] for row in step.datatable.raw()] if step.datatable else None
                checks.append((step.line_number, builder.take(kind, step.name, table, step.docstring)))
            assert scenario.name.replace("\n", "\\n") == case.title
            assert [(s.type, s.name, s.line_number) for s in scenario.steps] == [
                (s.kind, s.text, s.line) for s in case.steps
            ]
            assert builder.scene == case.scene
            assert [(line, check) for line, check in checks if check] == [(s.line, check) for s, check in case.checks]

    assert rendered == cases


def _relative(path: Path) -> str:
    return path.relative_to(features_root()).as_posix()
