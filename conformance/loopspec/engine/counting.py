"""Counts in sentences."""

from __future__ import annotations


def counted(number: int, one: str, several: str = "") -> str:
    """`1 case`, `2 cases`; `several` is an irregular plural."""
    return f"{number} {one if number == 1 else several or one + 's'}"
