"""`python -m tools.store_table FOLDER`: write the page about stores as backends, by the commands in the READMEs.

The page has a table of stores and features, one of rules with the stores that fail them, and the differences of each
store with their reasons. All servers run on 127.0.0.1. The command needs the extra `stores`, redis-server, postgres and
sshd, and the stores in Go and Node as their READMEs install them. It takes ten minutes. The reports are kept in the
folder, and a store with a report is not judged again.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from loopspec.contract.target import Identity
from loopspec.engine.baseline import load_baseline
from loopspec.engine.baseline_text import Known
from loopspec.engine.result import CaseLine, Verdict
from loopspec.reports.jsonl import RunLine, read_report
from loopspec.specification.features import compiled

from .pages import ADAPTERS, reasons, share

FOLDERS = ("stores", "fsspec", "universal_pathlib", "deepagents", "local_files", "eino_stores", "node_stores")
PAGE = ADAPTERS / "stores" / "results.md"
_HEAD = """\
# Stores as backends

Each store has an adapter in this repository, and is judged by the rules of the role backend. The first table counts the
rules that a store passes of the rules that apply, by feature. A dash: no rule of the feature applies to the store. The
second table has the stores that fail a rule. Documented and derived rules have the prefix AMD; all other rules are
advisory. A store whose name has the word "untranslated" has an adapter that returns what the store returns.

`python -m tools.store_table FOLDER` judges all stores and writes this page.
"""


@dataclass(frozen=True)
class Row:
    """A store with its version, whether it passes each rule that applies, and the lines about its differences."""

    identity: Identity
    passes: dict[str, bool]
    differences: Sequence[str]

    @staticmethod
    def of(identity: Identity, cases: Iterable[tuple[str, Verdict]], differences: Sequence[str]) -> Row:
        """The row of a store, by the rule and the verdict of each case."""
        passes: dict[str, bool] = {}
        for rule, verdict in cases:
            if verdict != "inapplicable":
                passes[rule] = passes.get(rule, True) and verdict == "passed"
        return Row(identity, passes, differences)

    def count(self, rules: Iterable[str]) -> str:
        """How many of these rules pass, of those that apply."""
        return share([self.passes[rule] for rule in rules if rule in self.passes])


@dataclass(frozen=True)
class Command:
    """A command in a README: the words after `loopspec`."""

    folder: str
    words: tuple[str, ...]

    @property
    def target(self) -> str:
        """The target string."""
        return self.words[1]

    @property
    def baseline(self) -> str:
        """The baseline, in the folder of the adapter."""
        return self.words[self.words.index("--baseline") + 1]

    def entries(self) -> tuple[Known, ...]:
        """The entries of the baseline."""
        return load_baseline(ADAPTERS / self.folder / self.baseline, compiled()).known


def _commands() -> Iterator[Command]:
    for folder in FOLDERS:
        text = (ADAPTERS / folder / "README.md").read_text(encoding="utf-8")
        for line in re.findall(r"^loopspec (run (?:py|cmd):.* --baseline .*)$", text, re.MULTILINE):
            yield Command(folder, tuple(shlex.split(line)))


COMMANDS = tuple(one for one in _commands() if "memory_adapter" not in one.target)


def page_of(rows: Sequence[Row]) -> str:
    """The text of the page."""
    rules = {case.rule.ids[0]: case.rule for case in compiled() if case.roles == ("backend",)}
    features: dict[str, list[str]] = defaultdict(list)
    for rule, one in rules.items():
        features[Path(one.file).stem].append(rule)
    lines = [_HEAD, f"| store | {' | '.join(features)} |", f"| --- |{' ---: |' * len(features)}"]
    lines += [f"| {row.identity} | {' | '.join(map(row.count, features.values()))} |" for row in rows]
    lines += ["", "## By rule", "", "| rule | passed | fails |", "| --- | ---: | --- |"]
    for rule in sorted(rules, key=lambda rule: (not rule.startswith("AMD-"), rule)):
        found = {row.identity.name: row.passes[rule] for row in rows if rule in row.passes}
        failing = "; ".join(name for name, passes in found.items() if not passes)
        lines.append(f"| {rule}: {rules[rule].sentence} | {share(found.values())} | {failing} |")
    lines += ["", "## Differences"]
    for row in rows:
        lines += ["", f"### {row.identity}", "", *(row.differences or ["The store passes every rule that applies."])]
    return "\n".join(lines) + "\n"


def _judge(one: Command, folder: Path) -> Path:
    """The report on a store, in the folder. Raises `CalledProcessError` for a failure that is not known."""
    report = folder / f"{one.folder}-{one.baseline.replace('/', '-')}.jsonl"
    if not report.exists():
        new = report.with_suffix(".new")
        words = [sys.executable, "-m", "loopspec", *one.words, "-q", "--role", "backend", "--report", str(new)]
        subprocess.run(words, cwd=ADAPTERS / one.folder, check=True)
        new.rename(report)
    return report


def _row(one: Command, report: Path) -> Row:
    run, *lines = read_report(report)
    assert isinstance(run, RunLine)
    of_role = {case.id for case in compiled() if case.roles == ("backend",)}
    cases = [(line.rules[0], line.verdict) for line in lines if isinstance(line, CaseLine) and line.case in of_role]
    flaky: list[tuple[str, Verdict]] = [(entry.case, "known") for entry in one.entries() if entry.flaky]
    return Row.of(run.identity, [*cases, *flaky], reasons(one.entries()))  # this run may have passed the flaky ones


if __name__ == "__main__":
    reports = Path(sys.argv[1])
    with ThreadPoolExecutor(2) as lanes:  # a store waits for its server most of the time
        judged = [*lanes.map(lambda one: _judge(one, reports), COMMANDS)]
    rows = [_row(one, report) for one, report in zip(COMMANDS, judged, strict=True)]
    PAGE.write_text(page_of(rows), encoding="utf-8")
