"""The language of the texts that this package writes for a model. Warnings and errors are always in English."""

from typing import Literal, get_args

Language = Literal["en", "zh"]

_DEFAULT: Language = "en"
_OFFERED = get_args(Language)

_current = _DEFAULT


def set_language(language: Language | None) -> None:
    """Set the language of texts for the whole process; None restores the default.

    Raises `ValueError` for an unknown language and keeps the current one (AMD-I18N-06).
    """
    global _current
    if language is not None and language not in _OFFERED:
        raise ValueError(f"no texts in {language!r}: choose one of {', '.join(_OFFERED)}")
    _current = language or _DEFAULT


def get_language() -> Language:
    """Return the current language: English until another one is set (AMD-I18N-01)."""
    return _current
