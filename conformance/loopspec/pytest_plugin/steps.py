"""The phrasebook as three pytest-bdd steps.

pytest-bdd's cost grows with the number of step definitions a module can see, and of two that fit a sentence it takes
one without a word. So it gets one definition for each of Given, When and Then, whose parser is the phrasebook itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import pytest_bdd
from pytest_bdd.parsers import StepParser

from loopspec_steps.phrasebook import BOOK, Kind


class Taker(Protocol):
    """Whoever takes the steps of the running scenario: the fixture `loopspec_playing`."""

    def take(self, kind: Kind, text: str, table: Sequence[Sequence[str]] | None, docstring: str | None) -> None:
        """Take one step."""
        ...


class AnyPhrase(StepParser):
    """Fits every sentence of the phrasebook. Raises `PhraseError` for one that two phrases fit."""

    def __init__(self, kind: Kind) -> None:
        super().__init__(f"any {kind} of the phrasebook")
        self._kind = kind

    def is_matching(self, name: str) -> bool:
        """Whether the phrasebook knows the sentence."""
        return BOOK.find(self._kind, name) is not None

    def parse_arguments(self, name: str) -> dict[str, str]:
        """The sentence itself: its holes are filled by whoever takes it."""
        return {"sentence": name}


@pytest_bdd.given(AnyPhrase("given"))
def given_step(
    loopspec_playing: Taker,
    sentence: str,
    datatable: Sequence[Sequence[str]] | None = None,
    docstring: str | None = None,
) -> None:
    """A Given."""
    loopspec_playing.take("given", sentence, datatable, docstring)


@pytest_bdd.when(AnyPhrase("when"))
def when_step(
    loopspec_playing: Taker,
    sentence: str,
    datatable: Sequence[Sequence[str]] | None = None,
    docstring: str | None = None,
) -> None:
    """The When."""
    loopspec_playing.take("when", sentence, datatable, docstring)


@pytest_bdd.then(AnyPhrase("then"))
def then_step(
    loopspec_playing: Taker,
    sentence: str,
    datatable: Sequence[Sequence[str]] | None = None,
    docstring: str | None = None,
) -> None:
    """A Then."""
    loopspec_playing.take("then", sentence, datatable, docstring)


# What a suite module must have in its namespace for pytest to find the steps.
FIXTURES = {name: value for name, value in globals().items() if name.startswith("pytestbdd_stepdef")}
