"""The page about stores as backends: `python -m tests.store_table FOLDER`, by the commands in the READMEs.

The page has a table of stores and rules, and the differences of each store with their reasons. All servers run on
127.0.0.1. The command needs the extra `stores`, redis-server, postgres and sshd, and takes ten minutes. The reports are
kept in the folder, and a store with a report is not judged again.
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

from loopspec.engine.baseline import Baseline, load_baseline
from loopspec.engine.result import CaseLine
from loopspec.reports.jsonl import RunLine, read_report
from loopspec.specification.features import compiled
from loopspec.targets.known import known_targets

ADAPTERS = Path(__file__).parents[1] / "conformance" / "adapters"
FOLDERS = ("stores", "fsspec", "universal_pathlib", "deepagents", "local_files")
PAGE = ADAPTERS / "stores" / "results.md"
_HEAD = """\
# Stores as backends

Each column is a rule of the role backend: AMD-BACKEND-05 is `AMD-05`, BACKEND-01 is `01`. A check mark: every case
of the rule that applies is passed. A cross: a case is a known failure, and its reason is below the table. A dash: the
store does not declare what the rule needs. Documented and derived rules have the prefix AMD; all other rules are
advisory.

`python -m tests.store_table FOLDER` judges all stores and writes this page.
"""

# Name, baseline, the rule and the verdict of each case, and the lines about differences.
Row = tuple[str, str, Sequence[tuple[str, str]], Sequence[str]]


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


def _commands() -> Iterator[Command]:
    for folder in FOLDERS:
        text = (ADAPTERS / folder / "README.md").read_text(encoding="utf-8")
        for line in re.findall(r"^loopspec (run py:.* --baseline .*)$", text, re.MULTILINE):
            yield Command(folder, tuple(shlex.split(line)))


_ALL = tuple(one for one in _commands() if "memory_adapter" not in one.target)
COMMANDS = tuple(one for one in _ALL if one.folder == "stores")


def differences(baseline: Baseline) -> list[str]:
    """The reasons in a baseline, each with the rules that fail."""
    rules: dict[str, set[str]] = defaultdict(set)
    for entry in baseline.known:
        rules[entry.reason].add(entry.case.partition(" :: ")[0])
    return [f"- {', '.join(sorted(names))}: {reason}" for reason, names in rules.items()]


def page_of(rows: Iterable[Row]) -> str:
    """The text of the page."""
    found = [(name, _rules(cases), lines) for name, _, cases, lines in rows]
    rules = sorted({rule for _, of, _ in found for rule in of}, key=lambda rule: (not rule.startswith("AMD-"), rule))
    short = [rule.replace("BACKEND-", "") for rule in rules]
    lines = [_HEAD, f"| | {' | '.join(short)} |", f"| --- |{' :---: |' * len(rules)}"]
    for name, of, _ in found:
        lines.append(f"| {name} | {' | '.join(of.get(rule, '–') for rule in rules)} |")
    lines += ["", "## Differences"]
    for name, _, reasons in found:
        lines += ["", f"### {name}", "", *(reasons or ["The store passes every rule that applies."])]
    return "\n".join(lines) + "\n"


def _rules(cases: Sequence[tuple[str, str]]) -> dict[str, str]:
    """The mark of each rule of the role."""
    verdicts: dict[str, set[str]] = defaultdict(set)
    for rule, verdict in cases:
        verdicts[rule].add(verdict)
    return {rule: _mark(of - {"inapplicable"}) for rule, of in verdicts.items()}


def _mark(verdicts: set[str]) -> str:
    if not verdicts:
        return "–"
    return "✓" if verdicts == {"passed"} else "×"


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
    baseline = load_baseline(ADAPTERS / one.folder / one.baseline, compiled())
    return str(run.identity), one.baseline, cases, [*differences(baseline), *_not_judged(one)]


def _not_judged(one: Command) -> Iterator[str]:
    """The cases that the declaration of the store excludes, each with the reason."""
    for known in known_targets().values():
        if (known.folder.name, known.declared.baseline) == (one.folder, one.baseline):
            yield from (f"- Not judged: {each.case}: {each.reason}" for each in known.declared.deselect)


if __name__ == "__main__":
    reports = Path(sys.argv[1])
    with ThreadPoolExecutor(2) as lanes:  # a store waits for its server most of the time
        judged = [*lanes.map(lambda one: _judge(one, reports), _ALL)]
    rows = [_row(one, report) for one, report in zip(_ALL, judged, strict=True)]
    PAGE.write_text(page_of(rows), encoding="utf-8")
