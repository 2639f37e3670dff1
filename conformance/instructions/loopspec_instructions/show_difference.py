"""The difference between what two tools read, or between what one tool reads at two commits."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import unified_diff
from itertools import islice
from typing import TYPE_CHECKING

from .show_table import print_legend, print_table, table

if TYPE_CHECKING:
    from .as_read import AsRead, Short

_MOST_LINES = 20_000  # of both texts: a comparison takes more than a second for more


def print_difference(reads: Mapping[str, AsRead], short: Short) -> None:
    """Print the table of two readings, and the lines in which the texts differ that a model receives."""
    (one, first), (other, second) = reads.items()
    rows = table(reads, short)
    texts = [{short(file.path): file.text for file in read.files} for read in (first, second)]
    for row in rows:
        old, new = (text.get(row[0]) for text in texts)
        if old is not None and new is not None and old != new:
            row[2] += " differs"
    rows[0] = ["file", one, other] if first.name == second.name else rows[0]
    print_table(rows)
    print()
    print_legend(reads, short)
    print()
    old_lines, new_lines = first.text.splitlines(), second.text.splitlines()
    if len(old_lines) + len(new_lines) > _MOST_LINES:
        print(f"The texts have more than {_MOST_LINES:,} lines, and are not compared.")
        return
    changes = unified_diff(old_lines, new_lines, one, other, lineterm="")
    start = list(islice(changes, 1))
    if not start:
        print("A model receives the same text.")
    for line in (*start, *changes):
        print(line)
