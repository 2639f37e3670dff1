"""How a check says no."""

from __future__ import annotations

from .values import Error


class Mismatch(AssertionError):
    """What a scenario expects is not what was seen. Raised, so that `python -O` cannot switch it off."""

    def __init__(self, what: str, expected: object, seen: object) -> None:
        super().__init__(f"{what}\n  expected: {_show(expected)}\n  seen:     {_show(seen)}")
        self.what = what
        self.expected = _show(expected)
        self.seen = _show(seen)


def expect(what: str, expected: object, seen: object) -> None:
    """Compare two whole values."""
    if expected != seen:
        raise Mismatch(what, expected, seen)


def _show(value: object) -> str:
    """A value in one line, or one line per element, long texts cut in the middle."""
    if isinstance(value, str):
        return value if len(value) <= 2000 else f"{value[:1000]} … {value[-1000:]} ({len(value)} characters)"
    if isinstance(value, Error):
        return str(value)
    if isinstance(value, list | tuple):
        if not value:
            return "nothing"
        return (
            ", ".join(_show(item) for item in value)
            if len(value) == 1
            else "".join(f"\n    {_show(item)}" for item in value)
        )
    return repr(value)
