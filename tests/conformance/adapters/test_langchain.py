"""LangChain is judged with the command from its adapter's README."""

from __future__ import annotations

import pytest

from loopspec.engine.baseline import UNEXPLAINED

from .judged import Judged

pytestmark = pytest.mark.long

# LangChain does these otherwise, and no case about them passes. The adapter declares them, so that the cases are judged
# and their failures stay known.
DIFFERENT = {"incomplete-tools", "raw-arguments", "tool-options", "tools-from-hooks"}


def test_langchain_is_conformant_apart_from_known_failures(langchain: Judged) -> None:
    """Every failure is known, advisory rules included, and no baseline entry is stale."""
    assert langchain.exit_code == 0, langchain.output
    assert {case.verdict for case in langchain.cases} <= {"passed", "known", "inapplicable"}
    assert langchain.summary.planned == langchain.summary.accounted == len(langchain.cases)


def test_every_baseline_entry_is_a_known_failure(langchain: Judged) -> None:
    """Each entry names a case that fails. An entry for an inapplicable case would be neither stale nor useful."""
    known = [case.case for case in langchain.cases if case.verdict == "known"]
    assert sorted(known) == sorted(langchain.expected)


def test_every_baseline_entry_is_explained(langchain: Judged) -> None:
    """Each entry has a written reason and a link to LangChain's source."""
    for entry in langchain.baseline.known:
        assert entry.reason != UNEXPLAINED
        assert len(entry.reason) > len(UNEXPLAINED)
        assert entry.link.startswith("https://")


def test_both_roles_and_every_declared_capability_are_judged(langchain: Judged) -> None:
    """Each declared capability is needed by a passed case, except for the different ones; most cases pass."""
    assert set(langchain.run.roles) == {"agent", "plugins"}
    assert set(langchain.run.capabilities) - DIFFERENT == langchain.proven
    assert set(langchain.run.capabilities) == langchain.needed
    verdicts = [case.verdict for case in langchain.cases]
    assert verdicts.count("passed") > 2 * verdicts.count("known")
