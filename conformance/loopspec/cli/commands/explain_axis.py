"""`loopspec explain` of an axis: its question, and each value with its rule."""

from __future__ import annotations

from ...contract.axes import axes
from ...contract.dialects import instruction_axes
from ..page import paragraph


def explain_axis(name: str) -> None:
    """Print an axis of postures, or one of instruction files."""
    known = axes().get(name)
    axis = known or instruction_axes()[name]
    paragraph(axis.question, lead=[(f"the axis {name}: ", "bold cyan")], style="bold", hang=2)
    for value, meaning in axis.values.items():
        note = "the default" if known and value == known.default else meaning.rule
        paragraph(meaning.sentence + (f" [{note}]" if note else ""), lead=[(f"{value}: ", "bold")], indent=2, hang=4)
    print()
    how = "declares a posture: `loopspec capabilities` lists all axes" if known else "names its dialect"
    paragraph(f"An implementation with another value {how}.", indent=2, style="dim")
