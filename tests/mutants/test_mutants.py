"""Every mutant is caught by its rule; and every normative rule has one."""

from __future__ import annotations

import pytest

from loopspec.specification.cases import area_of
from loopspec.specification.features import compiled
from loopspec.specification.ledger import NORMATIVE, cases_by_rule, ledger
from loopspec_mutants import MUTANTS, cases_for, try_mutant


@pytest.mark.long
def test_a_mutant_turns_its_rule_red_and_only_its_neighbors_with_it() -> None:
    """Judged on the rule's own area and on those of its neighbors; `.ci/long` judges on everything."""
    trials = [try_mutant(mutant, cases_for(mutant, compiled())) for mutant in MUTANTS.values()]

    assert [str(trial) for trial in trials if not trial.caught] == []


@pytest.mark.parametrize("area", ["AMD-IMPORT", "LOOP", "XP-JUMP", "BACKEND"])
def test_the_mutants_of_some_areas_are_caught(area: str) -> None:
    """One area of each part; the long run tries all of them."""
    mutants = [mutant for mutant in MUTANTS.values() if area_of(mutant.rule) == area]

    trials = [try_mutant(mutant, cases_for(mutant, compiled())) for mutant in mutants]

    assert trials
    assert [str(trial) for trial in trials if not trial.caught] == []


def test_a_mutant_says_what_it_does() -> None:
    """It has a sentence, at most five neighbors that exist, and a reason for each."""
    rules = set(ledger().rules)
    wrong = [
        mutant.name
        for mutant in MUTANTS.values()
        if not mutant.sentence.endswith(".")
        or len(mutant.neighbors) > 5
        or not set(mutant.neighbors) <= rules
        or not all(mutant.neighbors.values())
    ]

    assert wrong == []


def test_every_normative_rule_with_a_scenario_has_a_mutant() -> None:
    """The fraction is 1.0."""
    normative = {rule for rule in cases_by_rule() if ledger().rules[rule].basis in NORMATIVE}
    broken = {mutant.rule for mutant in MUTANTS.values()} & normative

    assert broken == normative, f"{len(broken)}/{len(normative)}: missing {sorted(normative - broken)}"


def test_the_mistakes_of_re_implementers_are_among_the_mutants() -> None:
    """What is easily got wrong in Python is a mutant."""
    mistakes = {
        "splits-endings-off-like-python",  # os.path.splitext(".md")
        "keeps-two-leading-slashes",  # posixpath.normpath("//x")
        "counts-characters",  # len(str) for bytes
        "opens-in-text-mode",  # CRLF becomes LF
        "eats-the-byte-order-mark",  # utf-8-sig
        "decodes-strictly",
        "takes-letters-of-every-script",  # \w for the quoted ASCII class
        "compares-endings-without-case",
        "wants-a-word-boundary",
        "strips-the-last-dot",
        "takes-reaching-for-exceeding",  # >= for >
        "goes-on-after-a-file-too-long",  # continue for break
        "wants-a-true-mark",  # extra.get(key) for key in extra
        "takes-white-space-for-nothing",  # content.strip() for empty
        "strips-files",  # content.strip() for layout
        "takes-not-a-directory-for-missing",  # OSError for FileNotFoundError
        "takes-a-directory-for-missing",
        "inserts-into-the-callers-list",  # messages.insert()
        "keeps-files-with-the-handler",  # a cache on the handler
        "keeps-refusals",  # caching an error
        "asks-for-the-language-when-created",
        # of the loop
        "goes-back-through-the-handlers",  # hooks after the model in reverse
        "ends-from-behind",  # hooks after the agent in reverse
        "asks-all-wraps-when-the-agent-is-built",  # eager wrapping
        "acts-on-the-raw-answer",  # and not on the last message of the state
        "counts-tool-calls",  # where model calls are limited
        "never-leaves-the-context-of-a-model-call",
        "appends-results-as-they-come",  # completion order in the history
        "refuses-hidden-tools",  # a list of what is offered, taken for what may run
        "numbers-every-attempt-alike",
        "has-spent-the-retries-on-the-first-model",
        "returns-the-last-match",
    }

    assert mistakes - set(MUTANTS) == set()
