"""The budget: how many bytes of each file the model receives."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from .dialect import Dialect


class Portion(Struct, frozen=True):
    """The bytes of one file, and the number of bytes around them that count toward the budget."""

    data: bytes
    around: int = 0


class Share(Struct, frozen=True):
    """What the budget leaves of a file: a text, and the number of bytes before decoding; None for the whole file."""

    text: str
    kept: int | None


def shares(portions: Sequence[Portion], dialect: Dialect) -> list[Share]:
    """Return what is left of each file, in the same order: "cut" on the axis `budget_cut`.

    A file of which only white space is left does not use up any bytes.
    """
    order = range(len(portions))
    left = dialect.budget
    found: dict[int, Share] = {}
    from_end = (dialect.budget_order == "leaf-first") != (dialect.order == "from-working-directory")
    for number in reversed(order) if from_end else order:
        portion = portions[number]
        left -= portion.around
        if left <= 0:
            left = 0
            found[number] = Share("", 0)
            continue
        data = portion.data[:left]
        cut = len(data) < len(portion.data)
        text = data.decode(errors="ignore" if cut and dialect.budget_character == "dropped" else "replace")
        if cut and dialect.surrounding_space == "removed":
            text = text.strip()
        if not text.strip():
            found[number] = Share("", 0)
            continue
        left -= len(data) if dialect.budget_counts == "contents" else len(text.encode())
        found[number] = Share(text, len(data) if cut else None)
    return [found[number] for number in order]
