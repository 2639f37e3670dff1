"""The page "Write an agent adapter" goes from a loop of 70 lines to 120 passed cases."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib import resources
from pathlib import Path

import pytest

import loopspec_adapting
from loopspec import Identity
from loopspec.contract.capabilities import Capability
from loopspec.contract.target import Target
from loopspec.engine.judge import applies, judge
from loopspec.engine.result import Verdict
from loopspec.specification.features import cases_of_rule, compiled
from loopspec.targets.resolve import AbsentTarget, resolve

PAGE = (resources.files("loopspec") / "guide" / "write-an-agent-adapter.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^```python\n(?=# (\w+)\.py\n)(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))


def test_the_loop_has_seventy_lines() -> None:
    """The page says so."""
    assert list(FILES) == ["my_loop", "my_agent", "my_sync", "my_hooks", "my_choices", "my_conversation"]
    assert 60 <= len(FILES["my_loop"].splitlines()) <= 75


def judged(target: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[Verdict, str]]:
    """The verdict and the rule of each case for agents, on a target of the page."""
    with on_the_page(target, folder, monkeypatch) as adapter:
        results = [judge(case, adapter) for case in compiled() if "agent" in case.roles]
    return [(result.verdict, result.rules[0]) for result in results]


@contextmanager
def on_the_page(target: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Target]:
    """A target of the page, whose files are in a folder."""
    for name, text in FILES.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", list(sys.path))
    with closing(resolve(f"py:{target}")) as adapter:
        yield adapter
    for name in FILES:
        monkeypatch.delitem(sys.modules, name, raising=False)


@pytest.mark.parametrize(
    ("target", "passed"), [("my_agent:Plain", 70), ("my_hooks:Mine", 120), ("my_choices:Declared", 120)]
)
def test_the_page_ends_with_120_passed_cases(
    target: str, passed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No case is errored; fewer than one case in ten fails."""
    verdicts = Counter(verdict for verdict, _ in judged(target, tmp_path, monkeypatch))

    assert verdicts["passed"] >= passed
    assert set(verdicts) <= {"passed", "failed", "inapplicable"}
    assert verdicts["failed"] * 10 < verdicts["passed"] + verdicts["failed"]


# The rules that a loop fails that makes the calls of one answer in turn: the page names them.
IN_TURN = {"LOOP-07", "LOOP-13", "LOOP-29", "LOOP-30", "EVENT-16"}


def test_a_synchronous_loop_fails_rules_about_concurrent_calls_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Apart from the rules that the coroutine of the page fails, too, or fails at times."""
    failed = {}
    for target in ("my_agent:Plain", "my_sync:Synchronous"):
        verdicts = judged(target, tmp_path, monkeypatch)
        failed[target] = {rule for verdict, rule in verdicts if verdict == "failed"}
        assert {verdict for verdict, _ in verdicts} == {"passed", "failed", "inapplicable"}

    assert failed["my_sync:Synchronous"] - (failed["my_agent:Plain"] - IN_TURN) == IN_TURN
    assert set(re.findall(r"[A-Z]+-\d+", PAGE.partition("calls tools in turn")[2].partition("\n\n")[0])) == IN_TURN


def test_an_agent_for_each_run_passes_what_one_agent_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Building an agent for each run is no other behavior, and a wrong configuration still fails the build."""
    assert judged("my_conversation:Stateful", tmp_path, monkeypatch) == judged("my_agent:Plain", tmp_path, monkeypatch)


def test_the_untouched_template_fails_as_many_examples_as_the_page_says() -> None:
    """Its author need not look for a broken installation."""
    with closing(resolve("py:loopspec_agent:Adapter")) as template:
        verdicts = Counter(judge(case, template).verdict for case in compiled() if "agent" in case.roles)

    assert verdicts["failed"] == 9
    assert "Nine\nexamples of the toy loop fail" in PAGE


def test_a_loop_with_one_before_model_hook_has_about_90_cases() -> None:
    """The page says so, since its own loop has five kinds of hooks."""
    capabilities: tuple[Capability, ...] = ("concurrent-runs", "before-model-hooks", "before-model-edits")
    able = AbsentTarget(Identity(name="able"), ("agent",), capabilities)

    assert 85 <= sum(applies(case, able) for case in compiled()) <= 95


@pytest.mark.parametrize("target", ["my_choices:Undeclared", "my_choices:Declared"])
def test_a_declared_choice_is_no_failure(target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules that the page names fail without the postures, and the rules of the postures pass with them."""
    wanted = ("LOOP-10", "LOOP-13", "LOOP-14", "INSTR-04")
    with on_the_page(target, tmp_path, monkeypatch) as adapter:
        is_declared = bool(adapter.postures)
        verdicts = {rule: {judge(case, adapter).verdict for case in cases_of_rule(rule)} for rule in wanted}
        own = [case for rule in ("POSTURE-03", "POSTURE-04", "POSTURE-06") for case in cases_of_rule(rule)]
        postures = {judge(case, adapter).verdict for case in own}

    assert {rule for rule, found in verdicts.items() if "failed" in found} == (set() if is_declared else set(wanted))
    assert postures - {"inapplicable"} == ({"passed"} if is_declared else set())


# What few frameworks need is in modules of its own, as in an adapter: callbacks around tools, cancel requests, other
# threads, and the plugin layer. A folder on the disk is for adapters of stores alone, which have no agent.
OF_STORES = "folders.py"
FURTHER = ("cancelling.py", "plugins.py", "threads.py", "tool_callbacks.py")


def test_the_toolkit_is_small() -> None:
    """The modules of the toolkit have at most 645 lines of code and text together, and at most 300 each."""
    modules = [one for one in Path(loopspec_adapting.__file__).parent.glob("*.py") if one.name != OF_STORES]
    sizes = {
        one.name: sum(bool(line.strip()) for line in one.read_text(encoding="utf-8").splitlines()) for one in modules
    }

    assert sum(size for name, size in sizes.items() if name not in FURTHER) <= 645
    assert sum(sizes[name] for name in FURTHER) <= 175
    assert max(sizes.values()) <= 300
