"""An agent that nobody here wrote is judged by the command that its README names."""

from __future__ import annotations

import pytest

from loopspec.engine.baseline import UNEXPLAINED

from .judged import Judged

pytestmark = pytest.mark.long


def test_it_is_conformant_apart_from_what_is_known(langchain: Judged) -> None:
    """Clarified rules count here, too: a failure of one is known as well, or none. Nothing that is known is stale."""
    assert langchain.exit_code == 0, langchain.output
    assert {case.verdict for case in langchain.cases} <= {"passed", "known", "inapplicable"}
    assert langchain.summary.planned == langchain.summary.accounted == len(langchain.cases)


def test_every_entry_of_the_baseline_is_met(langchain: Judged) -> None:
    """An entry for a case that has become inapplicable would be neither stale nor of use."""
    known = [case.case for case in langchain.cases if case.verdict == "known"]
    assert sorted(known) == sorted(entry.case for entry in langchain.baseline.known)


def test_every_entry_of_the_baseline_is_explained(langchain: Judged) -> None:
    """Each has a reason of more than a few words, and says where LangChain does so."""
    for entry in langchain.baseline.known:
        assert entry.reason != UNEXPLAINED
        assert len(entry.reason) > len(UNEXPLAINED)
        assert entry.link.startswith("https://")


def test_both_roles_are_judged_and_all_that_is_declared(langchain: Judged) -> None:
    """At least one case that needs it was performed for each capability, and more pass than are known to fail."""
    assert set(langchain.run.roles) == {"agent", "plugins"}
    assert set(langchain.run.capabilities) == langchain.needed
    verdicts = [case.verdict for case in langchain.cases]
    assert verdicts.count("passed") > 3 * verdicts.count("known")
