"""`python -m tools.instruction_table`: write the page about tools that read instruction files, from the records.

The page has the rules that each tool passes, by area, and the differences of each tool from its own document.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from loopspec.specification.features import compiled

from .pages import ADAPTERS, reasons, share
from .workspace_records import read_record
from .workspace_tools import TOOLS, Tool

PAGE = ADAPTERS / "instruction_files.md"
_HEAD = """\
# Tools that read instruction files

Each tool is judged by the rules of its own [dialect](../../features/dialects): documented values are normative,
measured values are advisory. The table counts the rules passed of the rules that apply, by area. A dash: no rule of the
area applies to the dialect. agents-doctor predicts what Codex reads, and is judged in the dialect of Codex. pi 0.73.1
is judged in the dialect of pi 1.6.0.

`python -m tools.instruction_table` writes this page from the records in the folders of the adapters.

`loopspec run known:NAME --timeout 60` installs a tool in the version of its record and judges the tool itself. With the
tool installed as its README says, two commands in a checkout judge the tool again and write the page:

```sh
python -m tools.workspace_records codex --all
python -m tools.instruction_table
```
"""


@dataclass(frozen=True)
class Row:
    """One tool, and whether each rule that applies is passed."""

    tool: Tool
    name: str
    rules: dict[str, bool]

    def cell(self, area: str) -> str:
        """The rules passed of the rules that apply, of one area."""
        return share([passed for rule, passed in self.rules.items() if _area(rule) == area])


def rows() -> Iterator[Row]:
    """The tools in their order, by their records."""
    for tool in TOOLS:
        rules: dict[str, bool] = defaultdict(lambda: True)
        with read_record(tool.record).target() as target:
            for result in target.results():
                rules[result.rules[0]] &= result.verdict == "passed"
            yield Row(tool, str(target.identity), dict(rules))


def page() -> str:
    """The text of the page."""
    found = list(rows())
    areas = dict.fromkeys(_area(case.rule.ids[0]) for case in compiled() if case.scene.workspace is not None)
    lines = [_HEAD, f"| Tool | {' | '.join(areas)} |", f"| --- |{' ---: |' * len(areas)}"]
    lines += [
        f"| [{row.name}]({row.tool.folder.name}/README.md) | {' | '.join(map(row.cell, areas))} |" for row in found
    ]
    lines += ["", "## Differences"]
    for row in found:
        differences = reasons(row.tool.baseline.known) or ["The tool passes every rule that applies."]
        lines += ["", f"### {row.name}", "", *differences]
    return "\n".join(lines) + "\n"


def _area(rule: str) -> str:
    return rule.rpartition("-")[0]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
