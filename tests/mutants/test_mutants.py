"""Every mutant is caught by its rule, and every normative rule has a mutant."""

from __future__ import annotations

from collections import Counter

import pytest

from loopspec.specification.cases import area_of
from loopspec.specification.features import compiled
from loopspec.specification.ledger import NORMATIVE, cases_by_rule, ledger
from loopspec.specification.sources import case_named
from loopspec_mutants import MUTANTS, Mutant, cases_for, try_mutant

pytestmark = pytest.mark.usefixtures("workspaces_in_memory")

_QUICK = ("AMD-DEPTH", "EXIT", "XP-JUMP", "AMD-BACKEND")  # an area of each part; the others are judged in long tests
_AT_ONCE = 15  # mutants of an area in one test: several processes share the trials


def _by_area() -> dict[str, list[Mutant]]:
    """All mutants, some of one area at a time, by the area and a number."""
    parts: dict[str, list[Mutant]] = {}
    places = Counter[str]()
    for mutant in MUTANTS.values():
        area = area_of(mutant.rule)
        parts.setdefault(f"{area} {places[area] // _AT_ONCE + 1}", []).append(mutant)
        places[area] += 1
    return parts


PARTS = _by_area()


@pytest.mark.parametrize(
    "part", [pytest.param(part, marks=() if part.split()[0] in _QUICK else pytest.mark.long) for part in PARTS]
)
def test_a_mutant_is_caught_by_its_rule(part: str) -> None:
    """Its rule and its neighbors fail, and no other rule of their areas: `.ci/long` judges each mutant by all cases."""
    trials = [try_mutant(mutant, cases_for(mutant, compiled())) for mutant in PARTS[part]]

    assert [str(trial) for trial in trials if not trial.caught] == []


def test_a_mutant_has_a_sentence_and_reasons_for_its_neighbors() -> None:
    """A mutant has a sentence, at most five known neighbors, a reason for each, and is shown by known cases."""
    rules = set(ledger().rules)
    wrong = [
        mutant.name
        for mutant in MUTANTS.values()
        if not mutant.sentence.endswith(".")
        or len(mutant.neighbors) > 5
        or not set(mutant.neighbors) <= rules
        or not all(mutant.neighbors.values())
        or not all(map(case_named, mutant.shown_by))
    ]

    assert wrong == []


def test_every_normative_rule_with_a_scenario_has_a_mutant() -> None:
    """Every normative rule with a scenario is the rule of at least one mutant."""
    normative = {rule for rule in cases_by_rule() if ledger().rules[rule].basis in NORMATIVE}
    broken = {mutant.rule for mutant in MUTANTS.values()} & normative

    assert broken == normative, f"{len(broken)}/{len(normative)}: missing {sorted(normative - broken)}"


def test_common_mistakes_are_mutants() -> None:
    """Each common mistake of an implementation in Python is a mutant."""
    mistakes = {
        "splits-extensions-like-python",  # os.path.splitext(".md")
        "keeps-two-leading-slashes",  # posixpath.normpath("//x")
        "counts-characters",  # len(str) for bytes
        "opens-in-text-mode",  # CRLF becomes LF
        "removes-the-byte-order-mark",  # utf-8-sig
        "decodes-strictly",
        "accepts-letters-of-every-script",  # \w for the quoted ASCII class
        "compares-extensions-without-case",
        "requires-a-word-boundary",
        "strips-the-last-dot",
        "skips-a-file-that-fills-the-limit",  # `>=` for `>`
        "loads-files-after-the-limit",  # continue for break
        "checks-the-value-of-the-marker",  # extra.get(key) for key in extra
        "takes-white-space-for-empty",  # content.strip() for empty
        "strips-files",  # content.strip() for layout
        "takes-not-a-directory-for-missing",  # OSError for FileNotFoundError
        "takes-a-directory-for-missing",
        "inserts-into-the-callers-list",  # messages.insert()
        "caches-files-in-the-middleware",  # a cache on the middleware
        "caches-permission-errors",  # caching an error
        "keeps-the-language-of-the-build",
        # mistakes in the loop
        "calls-after-model-hooks-in-reverse",  # like wrappers
        "calls-after-agent-hooks-in-reverse",  # like wrappers
        "passes-wrappers-the-tools-of-the-first-call",  # eager wrapping
        "makes-calls-that-a-hook-has-removed",  # the raw answer, not the last message of the state
        "counts-tool-calls",  # model calls are limited
        "keeps-values-of-before-model-hooks",
        "appends-results-in-completion-order",  # the order of the calls is required
        "rejects-calls-of-hidden-tools",  # hidden tools can still be called
        "numbers-every-attempt-alike",
        "retries-the-first-model-only",
        "returns-the-last-match",
    }

    assert mistakes - set(MUTANTS) == set()
