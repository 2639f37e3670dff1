"""The pictures of the specification: inline SVG and tables made from data, each claim with its rules."""

from __future__ import annotations

from functools import cache

from . import cancels, context, hooks, insertion, loads, loop, onions
from .figure import Cell, Claim, Figure, Table

__all__ = ["Cell", "Claim", "Figure", "Table", "figures", "figures_of"]


@cache
def figures() -> tuple[Figure, ...]:
    """Make every picture, in reading order. One of them takes a run of the reference."""
    return (
        loop.figure(),
        hooks.figure(),
        onions.model_call(),
        onions.tool_call(),
        context.figure(),
        cancels.figure(),
        loads.figure(),
        insertion.figure(),
    )


def figures_of(area: str) -> tuple[Figure, ...]:
    """Return the pictures of an area of rules."""
    return tuple(figure for figure in figures() if area in figure.areas)
