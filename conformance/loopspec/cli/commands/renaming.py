"""`loopspec baseline rename`: a baseline that names cases as an earlier version did."""

from __future__ import annotations

import argparse

from ...engine.counting import counted
from ...engine.renaming import rename
from ...specification.renamed import load_map


def rename_entries(args: argparse.Namespace) -> int:
    """Give the entries of a baseline their new names; say which have none."""
    done = rename(args.file, load_map(args.map))
    for name in done.removed:
        print(f"removed: {name}")
    print(f"{counted(done.renamed, 'entry', 'entries')} renamed in {args.file}, {len(done.removed)} removed.")
    return 0
