"""Every realistic bug is caught by each rule that it names."""

from __future__ import annotations

import pytest

from loopspec.specification.features import compiled
from loopspec.specification.ledger import ledger
from loopspec_mutants import BUGS, missed_by


# A bug may abandon coroutines, which are then closed at a time of their own.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.long
@pytest.mark.parametrize("name", BUGS)
def test_a_bug_is_caught_by_every_rule_that_it_names(name: str) -> None:
    """The named rules fail; others may fail too."""
    assert missed_by(BUGS[name], set(BUGS[name].caught_by), compiled()) == frozenset()


def test_a_bug_has_a_sentence_and_known_rules() -> None:
    """A bug has a sentence, and its rules are in the ledger."""
    rules = set(ledger().rules)
    wrong = [bug.name for bug in BUGS.values() if not bug.sentence.endswith(".") or not set(bug.caught_by) <= rules]

    assert wrong == []
