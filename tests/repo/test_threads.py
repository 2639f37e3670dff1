"""The threads of users: each has one verdict, and each caught one is re-enacted by a mutant or a history.

`test_museum` shows that the mutant turns its rules red, and `check/test_recordings.py` that the history is found.
"""

from __future__ import annotations

import re
from collections import Counter

from loopspec.specification.ledger import ledger
from loopspec_check.rules import known
from loopspec_mutants import BUGS, MUTANTS

from .threads import PAGE, VERDICTS, bugs, classes, histories, tables, tables_on_the_page, threads


def test_each_thread_is_listed_once() -> None:
    """With a link, a class and a year."""
    assert len({one.name for one in threads()}) == len(threads()) == 105
    form = re.compile(r"https://github\.com/[\w-]+/[\w.-]+/(issues|pull)/\d+")
    assert [one.link for one in threads() if not form.fullmatch(one.link)] == []
    assert {one.kind for one in threads()} == set(classes())
    assert {one.year for one in threads()} == {2025, 2026}


def test_each_thread_has_one_verdict() -> None:
    """What is left out or caught in part says why."""
    counts = Counter(one.verdict for one in threads())

    assert [one.link for one in threads() if one.verdict not in VERDICTS] == []
    assert counts["caught"] >= 60
    assert counts["partly"] <= 20
    reasons = [one.partly + one.out for one in threads() if one.verdict != "caught"]
    assert [reason for reason in reasons if not re.fullmatch(r"[A-Z].*\.", reason)] == []


def test_a_thread_is_re_enacted_in_one_place() -> None:
    """Its title stands where it is re-enacted, and here only if that is a history. No planted thread is unlisted."""
    assert bugs().keys() & histories().keys() == set()
    assert [one.link for one in threads() if bool(one.title) == (one.link in bugs())] == []
    assert [one.title for one in threads() if one.title.endswith(".")] == []
    assert histories().keys() <= {one.link for one in threads()}


def test_the_rules_and_the_reenactments_of_caught_threads_exist() -> None:
    """A rule of the features with a mutant, or a rule of `loopspec check` with a planted history."""
    caught = [one for one in threads() if one.verdict == "caught"]
    by_mutants = [one for one in caught if one.link in bugs()]
    by_histories = [one for one in caught if one.link in histories()]

    assert len(by_mutants) + len(by_histories) == len(caught)
    assert {bugs()[one.link].mutant for one in by_mutants} <= {*MUTANTS, *BUGS}
    assert {rule for one in by_mutants for rule in one.rules} <= set(ledger().rules)
    assert {rule for one in by_histories for rule in one.rules} <= set(known().rules)
    assert all(one.rules for one in caught)


def test_the_reasons_name_rules_that_exist() -> None:
    """A rule that is near, or one that says the opposite."""
    named = {name for one in threads() for name in re.findall(r"[A-Z][A-Z-]+-\d\d", one.partly + one.out)}

    assert named
    assert named <= {*ledger().rules, *known().rules}


def test_the_tables_of_the_guide_are_made_from_the_threads() -> None:
    """`python -m tests.repo.threads` writes them."""
    repositories = {one.name.partition("#")[0] for one in threads()}

    assert f"{len(threads())} such threads in {len(repositories)} repositories" in PAGE.read_text(encoding="utf-8")
    assert tables_on_the_page() == list(tables())
