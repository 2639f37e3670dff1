"""Numbers of things in a sentence."""

from __future__ import annotations


def counted(number: int, one: str, several: str = "") -> str:
    """`1 case`, `2 cases`; `several` is the plural where it is not made with an s."""
    return f"{number} {one if number == 1 else several or one + 's'}"
