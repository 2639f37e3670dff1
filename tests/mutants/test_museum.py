"""The museum: real bugs of real projects, each re-enacted by a mutant and caught by the rules that it names."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date

import pytest

from loopspec.specification.features import compiled
from loopspec.specification.ledger import ledger
from loopspec.specification.museum import RealBug, museum
from loopspec_mutants import BUGS, MUTANTS, Bug, missed_by

KNOWN = {**MUTANTS, **BUGS}


def _unproven(bug: RealBug) -> frozenset[str]:
    """The rules that the museum names and that no other test judges the mutant by.

    `test_bugs` judges a realistic bug by the rules that it names, and `test_mutants` the mutant of a rule by this rule
    and its neighbors.
    """
    one = KNOWN[bug.mutant]
    return frozenset(bug.caught_by) - (set(one.caught_by) if isinstance(one, Bug) else {one.rule, *one.neighbors})


UNPROVEN = [bug for bug in museum() if _unproven(bug)]


# A bug may abandon coroutines, which are then closed at a time of their own.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.long
@pytest.mark.parametrize("bug", UNPROVEN, ids=lambda bug: bug.link.removeprefix("https://github.com/"))
def test_a_real_bug_is_caught_by_the_rules_that_the_museum_names(bug: RealBug) -> None:
    """Each named rule fails on the mutant that re-enacts the bug."""
    assert missed_by(KNOWN[bug.mutant], _unproven(bug), compiled()) == frozenset()


def test_the_museum_is_large() -> None:
    """At least a hundred bugs, of at least ten projects."""
    assert len(museum()) >= 100
    assert len({bug.project for bug in museum()}) >= 10


def test_each_bug_has_its_own_link() -> None:
    """A link leads to one public thread or change, and was opened on a day that is past."""
    links = Counter(bug.link for bug in museum())

    assert [link for link, count in links.items() if count > 1] == []
    assert [link for link in links if not re.fullmatch(r"https://[^\s]+", link)] == []
    assert [bug.link for bug in museum() if date.fromisoformat(bug.opened) > date.today()] == []


def test_each_bug_has_a_mutant_and_rules() -> None:
    """A mutant serves at most two bugs, of different projects, and every rule exists."""
    served = Counter(bug.mutant for bug in museum())

    assert [bug.mutant for bug in museum() if bug.mutant not in KNOWN] == []
    assert [name for name, count in served.items() if count > 2] == []
    assert max(Counter((bug.mutant, bug.project) for bug in museum()).values()) == 1
    assert [bug.link for bug in museum() if not bug.caught_by or not set(bug.caught_by) <= set(ledger().rules)] == []


def test_each_bug_has_a_short_text() -> None:
    """The text of a bug is short, and ends as a sentence does."""
    wrong = [bug.link for bug in museum() if not bug.happened.endswith(".") or len(bug.happened) > 400]

    assert wrong == []
    assert [bug.link for bug in museum() if bug.title.endswith(".") or not bug.title] == []
