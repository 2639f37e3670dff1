"""The page about tools that read instruction files: `python -m tests.instruction_table`, from the records.

The page has the rules that each tool passes, by area, and the differences of each tool from its own document.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from loopspec.engine.baseline import Known
from loopspec.specification.cases import Case
from loopspec.specification.features import compiled

from .workspace_records import read_record
from .workspace_tools import ADAPTERS, TOOLS, Tool

PAGE = ADAPTERS / "instruction_files.md"
_HEAD = """\
# Tools that read instruction files

Each tool is judged by the rules of its own [dialect](../../features/dialects): documented values are normative,
measured values are advisory. The table counts the rules passed of the rules that apply, by area. A dash: no rule of the
area applies to the dialect. agents-doctor predicts what Codex reads, and is judged in the dialect of Codex. pi 0.73.1
is judged in the dialect of pi 0.87.1.

`python -m tests.instruction_table` writes this page from the records in the folders of the adapters.

`loopspec run known:NAME --timeout 60` installs a tool in the version of its record and judges the tool itself. With the
tool installed as its README says, two commands in a checkout judge the tool again and write the page:

```sh
python -m tests.workspace_records codex --all
python -m tests.instruction_table
```
"""


@dataclass(frozen=True)
class Row:
    """One tool: whether each rule that applies is passed, and the entries of the baseline."""

    tool: Tool
    name: str
    rules: dict[str, bool]
    known: Sequence[Known]

    def cell(self, area: str) -> str:
        """The rules passed of the rules that apply, of one area."""
        of_area = [passed for rule, passed in self.rules.items() if _area(rule) == area]
        return f"{sum(of_area)}/{len(of_area)}" if of_area else "–"


def rows() -> Iterator[Row]:
    """The tools in their order, by their records."""
    for tool in TOOLS:
        rules: dict[str, bool] = defaultdict(lambda: True)
        with read_record(tool.record).target() as target:
            for result in target.results():
                rules[result.rules[0]] &= result.verdict == "passed"
            yield Row(tool, str(target.identity), dict(rules), tool.baseline.known)


def page() -> str:
    """The text of the page."""
    found = list(rows())
    areas = list(dict.fromkeys(_area(case.rule.ids[0]) for case in compiled() if _reads_workspaces(case)))
    lines = [
        _HEAD,
        f"| | {' | '.join(areas)} |",
        f"| --- |{' ---: |' * len(areas)}",
        *(f"| [{row.name}]({row.tool.folder.name}/README.md) | {_cells(row, areas)} |" for row in found),
        "",
        "## Differences",
    ]
    for row in found:
        lines += ["", f"### {row.name}", "", *(_differences(row) or ["The tool passes every rule that applies."])]
    return "\n".join(lines) + "\n"


def _cells(row: Row, areas: Sequence[str]) -> str:
    return " | ".join(row.cell(area) for area in areas)


def _differences(row: Row) -> list[str]:
    """The reasons in the baseline, each with the rules that fail."""
    reasons: dict[tuple[str, str], set[str]] = defaultdict(set)
    for entry in row.known:
        reasons[entry.reason, entry.link].add(entry.case.partition(" :: ")[0])
    return [f"- {', '.join(sorted(rules))}: {reason} ([source]({link}))" for (reason, link), rules in reasons.items()]


def _area(rule: str) -> str:
    return rule.rpartition("-")[0]


def _reads_workspaces(case: Case) -> bool:
    return case.scene.workspace is not None


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
