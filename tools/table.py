"""`python -m tools.table`: `loopspec known --table --write`, the table in README, and the assessments."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import msgspec

from loopspec.contract.dialects import value_of_rule
from loopspec.specification.ledger import JUDGED, ledger
from loopspec_known.assessment import NAME as ASSESSMENT
from loopspec_known.assessment import assessment
from loopspec_known.results import NAME, Results, in_results
from loopspec_known.table import known_table

from .pages import ROOT, Block

RESULTS = ROOT / "conformance/known/loopspec_known" / NAME
BLOCK = Block(ROOT / "README.md", "the table", "tools.table")
_SOURCE = """\
A row leads to the *causes* of its failures, each with a program that shows it without loopspec
([source](conformance/known/loopspec_known/results.json)). *Composed* rules pass because an adapter does
[what a document shows](conformance/loopspec/guide/what-an-adapter-may-do.md). Of {judged} judged rules the table leaves
out {dialects} about [instruction files](conformance/adapters/instruction_files.md), and {others} that other runs judge.
"""


def table(found: Results) -> str:
    """The table in README, with a link to each assessment."""
    text = found.as_markdown()
    for one in map(found.of, in_results()):
        text = text.replace(f"| {one.name} |", f"| [{one.name}]({one.adapter}/{ASSESSMENT}) |")
    judged, dialects = sum(row.status in JUDGED for row in ledger().rules.values()), len(value_of_rule())
    others = judged - dialects - len(found.rules)
    return f"{text}\n{_SOURCE.format(judged=judged, dialects=dialects, others=others)}"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        judged = Path(folder) / NAME
        known_table(judged)  # the exit code says whether something has changed, too
        results = msgspec.json.decode(judged.read_bytes(), type=Results)
    if len(results.implementations) < 1 + len(in_results()):
        sys.exit("not every implementation is judged: nothing is written")
    RESULTS.write_text(results.as_text(), encoding="utf-8")
    BLOCK.write(table(results))
    for one in in_results():
        (one.folder / ASSESSMENT).write_text(assessment(one, results), "utf-8")
