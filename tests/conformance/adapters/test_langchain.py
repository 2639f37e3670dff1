"""LangChain is judged with the command from its adapter's README."""

from __future__ import annotations

import pytest

from loopspec.engine.baseline import UNEXPLAINED

from .judged import ADAPTERS, Judged, must_match_baseline

pytestmark = pytest.mark.long


def test_langchain_is_conformant_apart_from_known_failures(langchain: Judged) -> None:
    """Every failure is known, advisory rules included, and no baseline entry is stale."""
    assert langchain.exit_code == 0, langchain.output
    assert {case.verdict for case in langchain.cases} <= {"passed", "known", "inapplicable"}
    assert langchain.summary.planned == langchain.summary.accounted == len(langchain.cases)


def test_every_baseline_entry_is_a_known_failure(langchain: Judged) -> None:
    """Each entry names a case that fails. An entry for an inapplicable case would be neither stale nor useful."""
    must_match_baseline(langchain)


def test_every_baseline_entry_is_explained(langchain: Judged) -> None:
    """Each entry has a written reason and a link to LangChain's source."""
    for entry in langchain.baseline.known:
        assert entry.reason != UNEXPLAINED
        assert len(entry.reason) > len(UNEXPLAINED)
        assert entry.link.startswith("https://")


def test_both_roles_and_every_declared_capability_are_judged(langchain: Judged) -> None:
    """Each declared capability is needed by a passed case, each other one has a reason, and most cases pass."""
    assert set(langchain.run.roles) == {"agent", "plugins"}
    assert set(langchain.run.capabilities) == langchain.proven
    langchain.assert_all_else_has_a_reason(ADAPTERS / "langchain")
    verdicts = [case.verdict for case in langchain.cases]
    assert verdicts.count("passed") > 2 * verdicts.count("known")


def test_the_adapter_is_small() -> None:
    """On the toolkit, the adapter has at most 620 lines of code, and its core at most 190."""
    modules = (ADAPTERS / "langchain" / "langchain_adapter").glob("*.py")
    lines = {one.name: one.read_text(encoding="utf-8").splitlines() for one in modules}
    sizes = {name: sum(bool(line.strip()) for line in module) for name, module in lines.items()}

    assert sizes["core.py"] <= 190
    assert sum(sizes.values()) <= 620
