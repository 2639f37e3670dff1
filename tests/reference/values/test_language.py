"""The language of the instructions."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from loopspec_reference import get_language, set_language


@pytest.fixture(autouse=True)
def _default_afterwards() -> Iterator[None]:
    yield
    set_language(None)


def test_the_default_language_is_english() -> None:
    """English is the default."""
    assert get_language() == "en"


def test_the_last_language_is_used() -> None:
    """The language is set for the whole process."""
    set_language("en")
    set_language("zh")

    assert get_language() == "zh"


def test_the_default_language_can_be_restored() -> None:
    """None restores the default."""
    set_language("zh")
    set_language(None)

    assert get_language() == "en"


@pytest.mark.parametrize("language", ["tlh", "", "EN", "en-GB"])
def test_an_unknown_language_is_rejected(language: str) -> None:
    """The error lists the languages."""
    set_language("zh")

    with pytest.raises(ValueError, match="choose one of en, zh"):
        set_language(language)  # type: ignore[arg-type]  # an invalid language

    assert get_language() == "zh"
