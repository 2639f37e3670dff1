"""The language in force."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from loopspec_reference import get_language, set_language


@pytest.fixture(autouse=True)
def _default_afterwards() -> Iterator[None]:
    yield
    set_language(None)


def test_it_is_english_until_one_is_chosen() -> None:
    """Nobody has to choose."""
    assert get_language() == "en"


def test_the_last_choice_counts() -> None:
    """For the whole process."""
    set_language("en")
    set_language("zh")

    assert get_language() == "zh"


def test_the_choice_can_be_taken_back() -> None:
    """None means the default again."""
    set_language("zh")
    set_language(None)

    assert get_language() == "en"


@pytest.mark.parametrize("language", ["tlh", "", "EN", "en-GB"])
def test_another_language_is_refused_and_changes_nothing(language: str) -> None:
    """The error says what is offered."""
    set_language("zh")

    with pytest.raises(ValueError, match="choose one of en, zh"):
        set_language(language)  # type: ignore[arg-type]  # that is the point

    assert get_language() == "zh"
