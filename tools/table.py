"""`python -m tools.table`: judge all implementations, and write `results.json` and the table in README.

Does the same as `loopspec known --table --write FILE`, which needs the network, Go and Node, and continues where a
former call was interrupted. Writes nothing unless all are judged. The site of `loopspec docs` shows `results.json`.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import msgspec

from loopspec_known.results import NAME, Results, in_results
from loopspec_known.table import known_table

from .pages import ROOT, Block

RESULTS = ROOT / "conformance/known/loopspec_known" / NAME
BLOCK = Block(ROOT / "README.md", "the table", "tools.table")
_SOURCE = """\
An own posture is a documented choice that differs from ours, judged as documented. The Xpert AI plugin middleware
is a document of the plugin layer. The source is [results.json](conformance/known/loopspec_known/results.json).
"""


def table(found: Results) -> str:
    """The table in README."""
    return f"{found.as_markdown()}\n{_SOURCE}"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        judged = Path(folder) / NAME
        known_table(judged)  # the exit code says whether something has changed, too
        text = judged.read_text(encoding="utf-8")
    results = msgspec.json.decode(text, type=Results)
    if len(results.implementations) < 1 + len(in_results()):
        sys.exit("not every implementation is judged: nothing is written")
    RESULTS.write_text(text, encoding="utf-8")
    BLOCK.write(table(results))
