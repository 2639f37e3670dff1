"""A target that does nothing, or the least, passes no rule as a whole, and only the cases that are listed."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest

from loopspec.contract.roles import ROLES
from loopspec.contract.values import ErrorKind
from loopspec.specification.features import compiled
from loopspec_mutants.nulls import (
    NULLS,
    OMITTED,
    WAYS,
    NullTrial,
    Passes,
    listed,
    try_null,
    whole_rules,
    wrong_with,
)
from loopspec_mutants.nulls.agents import AGENTS, At

pytestmark = pytest.mark.usefixtures("workspaces_in_memory")

ENTRY = Passes(("loader empty",), ("A :: b*",), "Because.")
NOTHING: frozenset[str] = frozenset()
TRIAL = NullTrial(NULLS["loader empty"], frozenset({"A :: b", "A :: c"}), frozenset({"A :: b"}), NOTHING, NOTHING)
PASSES = "the null target 'loader empty' passes A :: b, which null_targets.toml lists"


@pytest.mark.long
def test_the_list_names_exactly_the_cases_that_a_null_target_passes() -> None:
    """The test judges all cases on each null target. No rule passes as a whole."""
    trials = [try_null(null, compiled()) for null in NULLS.values()]

    assert list(wrong_with(trials, listed())) == []


@pytest.mark.parametrize("name", ["backend empty", "loader empty"])
def test_some_null_targets_pass_the_listed_cases(name: str) -> None:
    """The quick run judges two null targets; the long run judges all of them."""
    entries = [replace_targets(entry, name) for entry in listed() if name in entry.targets]

    assert list(wrong_with([try_null(NULLS[name], compiled())], entries)) == []


def replace_targets(entry: Passes, name: str) -> Passes:
    """The entry for one null target alone."""
    return Passes((name,), entry.cases, entry.reason)


@pytest.mark.long
@pytest.mark.parametrize("kind", get_args(ErrorKind))
def test_no_rule_passes_as_a_whole_on_a_target_that_refuses_with_the_right_error(kind: ErrorKind) -> None:
    """The target refuses every agent, or every run, with the kind of error that a rule requires."""
    ats: tuple[At, At] = ("build", "run")

    assert [whole_rules(kind, at, role, compiled()) for role in AGENTS for at in ats] == [[]] * 4


def test_every_way_of_every_role_has_a_null_target_or_a_reason() -> None:
    """Five ways in each role."""
    every = {(role, way) for role in ROLES for way in WAYS}
    known = {(null.role, null.way) for null in NULLS.values()}

    assert known | OMITTED.keys() == every
    assert known & OMITTED.keys() == set()
    assert all(null.sentence.endswith(".") for null in NULLS.values())


def test_each_entry_has_a_reason() -> None:
    """A reason is a sentence."""
    assert [entry for entry in listed() if not entry.reason.endswith(".")] == []


@pytest.mark.parametrize(
    ("trial", "entries", "wrong"),
    [
        (TRIAL, [ENTRY], []),
        (TRIAL, [], [f"{PASSES} 0 times"]),
        (
            TRIAL,
            [ENTRY, ENTRY],
            [f"{PASSES} 2 times"],
        ),
        (
            replace(TRIAL, passed=frozenset()),
            [ENTRY],
            ["the null target 'loader empty' does not pass A :: b, which null_targets.toml lists"],
        ),
        (
            replace(TRIAL, judged=frozenset(), passed=frozenset()),
            [ENTRY],
            ["null_targets.toml lists 'A :: b*' for 'loader empty', and no judged case fits"],
        ),
        (
            replace(TRIAL, whole=frozenset({"A"})),
            [ENTRY],
            ["A passes as a whole on the null target 'loader empty'"],
        ),
        (replace(TRIAL, broken=frozenset({"A :: c"})), [ENTRY], ["the null target 'loader empty' is broken in A :: c"]),
        (
            TRIAL,
            [ENTRY, Passes(("loader full",), ("A :: b",), "Because.")],
            ["null_targets.toml names 'loader full', which is no null target"],
        ),
    ],
)
def test_what_is_wrong_with_the_list_is_named(trial: NullTrial, entries: list[Passes], wrong: list[str]) -> None:
    """A case that passes and is not listed, and a listed case that does not pass, are both wrong."""
    assert list(wrong_with([trial], entries)) == wrong
