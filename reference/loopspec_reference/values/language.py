"""The language of the texts this package writes for a model. Warnings and errors are always English."""

from typing import Literal, get_args

Language = Literal["en", "zh"]

_DEFAULT: Language = "en"

_current = _DEFAULT


def set_language(language: Language | None) -> None:
    """Choose the language, for the whole process, of every text written from now on; None: the default again.

    Raises `ValueError` for a language that is not offered; the setting then stays (AMD-I18N-06).
    """
    global _current
    offered = get_args(Language)
    if language is not None and language not in offered:
        raise ValueError(f"no texts in {language!r}: choose one of {', '.join(offered)}")
    _current = language or _DEFAULT


def get_language() -> Language:
    """The language in force, English until something else is chosen (AMD-I18N-01)."""
    return _current
