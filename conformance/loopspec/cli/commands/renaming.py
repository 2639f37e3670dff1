"""`loopspec baseline rename`: rename the cases of a baseline from an earlier version."""

from __future__ import annotations

import argparse

from ...engine.baseline_text import load_map, rename
from ...engine.output import counted


def rename_entries(args: argparse.Namespace) -> int:
    """Rename the entries of a baseline, and print the removed ones."""
    done = rename(args.file, load_map(args.map))
    for name in done.removed:
        print(f"removed: {name}")
    print(f"{counted(done.renamed, 'entry', 'entries')} renamed in {args.file}, {len(done.removed)} removed.")
    return 0
