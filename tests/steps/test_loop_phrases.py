"""Every Then about loops and plugins can fail: each says yes to what it is about, and no to what misses it narrowly."""

from __future__ import annotations

import pytest

from loopspec_steps import BOOK
from loopspec_steps.phrasebook import Phrase

from . import says_ends, says_events, says_hooks, says_plugins, says_registries
from .saying import Says, agrees, check_of

SAYINGS = tuple(
    saying
    for module in (says_ends, says_hooks, says_events, says_plugins, says_registries)
    for saying in module.SAYINGS
)
MODULES = {
    f"loopspec_steps.then.{topic}"
    for topic in (
        *("built_ins", "cancel", "context", "custom_input", "ends", "events", "handled", "hooks"),
        *("plugins", "recovery", "resumed_calls", "sub_agents", "trace"),
    )
}


def _phrase(saying: Says) -> Phrase:
    return BOOK.match("then", saying.text).phrase


def test_no_then_is_left_out() -> None:
    """Each phrase of each module has its sentence here."""
    known = {_phrase(saying) for saying in SAYINGS}

    assert {phrase.function.__module__ for phrase in known} == MODULES
    assert [
        phrase.sentence
        for phrase in BOOK.phrases
        if phrase.function.__module__ in MODULES and phrase.kind == "then" and phrase not in known
    ] == []


@pytest.mark.parametrize("saying", SAYINGS, ids=str)
def test_a_then_says_yes_and_no(saying: Says) -> None:
    """To the whole of what it is about, and to each of those that are a little different."""
    check = check_of(saying.text, saying.below)

    assert agrees(check, saying.right)
    assert [number for number, wrong in enumerate(saying.wrong) if agrees(check, wrong)] == []
    assert saying.wrong
