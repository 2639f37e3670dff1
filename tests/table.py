"""What the suite finds on each implementation: `python -m tests.table [--check] [REPORT …]`.

It writes `conformance/loopspec/results.json`, which the site of `loopspec docs` shows, and the table in README. Without
reports it judges the reference, and each of `LIVE` by the command that its README names, in all variants, which needs
the extra `langchain`, and Go. It also judges what is recorded of others, see `tests/recorded.py`. `--check` writes
nothing, and fails where one of the two says something else about an example.
"""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from msgspec.structs import replace as replaced

from loopspec.engine.baseline import Baseline, load_baseline
from loopspec.reports.merging import whole
from loopspec.reports.results import NAME, Judged, Results, judged, results
from loopspec.specification.features import compiled
from loopspec.specification.ledger import ledger
from loopspec.specification.variants import SEPARATOR

from .recorded import ADAPTERS, Stale, command, read_record

ROOT = Path(__file__).parents[1]
PAGE, RESULTS = ROOT / "README.md", ROOT / "conformance" / "loopspec" / NAME
REFERENCE = "conformance/loopspec/targets/reference"
LIVE = ("langchain", "eino")
_SOURCE = """\
The results page of `loopspec docs` shows each rule, and the reason for each known difference. Its source is
[results.json](conformance/loopspec/results.json).
"""
BEGIN, END = "<!-- the table: python -m tests.table -->\n", "<!-- the end of the table -->\n"


def run_all(folder: Path) -> list[Path]:
    """The reports of the reference and of all that are judged here, in this order."""
    reports = [folder / f"{name}.jsonl" for name in ("reference", *LIVE)]
    in_variants = ("--variants", "all", "-n", "2")
    _loopspec(ROOT, "run", "reference", *in_variants, "--report", str(reports[0]))
    for name, report in zip(LIVE, reports[1:], strict=True):
        for build in re.findall(r"^go build .*$", (ADAPTERS / name / "README.md").read_text("utf-8"), re.MULTILINE):
            _run(ADAPTERS / name, shlex.split(build))
        _loopspec(ADAPTERS / name, *command(ADAPTERS / name), *in_variants, "--report", str(report))
    return reports


def reported(reports: Sequence[Path]) -> Iterator[Judged]:
    """The results of the reference and of all that were judged here, by their reports."""
    for name, path in zip(("", *LIVE), reports, strict=True):
        (report,) = whole([path])
        if report.summary is None:
            sys.exit(f"the report {path} was cut off: run the suite again")
        folder = (ADAPTERS / name).relative_to(ROOT).as_posix() if name else REFERENCE
        baseline = _baseline(ADAPTERS / name) if name else Baseline()
        postures = report.run.postures
        yield judged(str(report.run.identity), folder, report.cases, baseline, postures=postures)


def recorded() -> Iterator[Judged]:
    """The results of implementations that are not installed: their records, judged by the features of today."""
    for path in sorted(ADAPTERS.glob("*/recorded.jsonl")):
        record, baseline = read_record(path.parent), _baseline(path.parent)
        try:
            cases = [replace(result, verdict=baseline.judge(result)) for result in record.results()]
        except Stale as stale:
            sys.exit(str(stale))
        folder = path.parent.relative_to(ROOT).as_posix()
        yield judged(str(record.asked.identity), folder, cases, baseline, recorded=True)


def _baseline(folder: Path) -> Baseline:
    """The baseline that the command of an adapter names."""
    words = command(folder)
    return load_baseline(folder / words[words.index("--baseline") + 1], compiled())


def _of_examples(found: Results) -> list[Judged]:
    """The results apart from variants and invariants, since the reports to compare with have no variants."""
    rows = ledger().rules
    return [
        replaced(
            one,
            verdicts={
                verdict: tuple(rule for rule in rules if rows[rule].status == "scenario")
                for verdict, rules in one.verdicts.items()
            },
            differences=tuple(
                replaced(each, cases=cases)
                for each in one.differences
                if (cases := tuple(case for case in each.cases if SEPARATOR not in case))
            ),
        )
        for one in found.implementations
    ]


def with_table(text: str, found: Results) -> str:
    """README with the table of these results."""
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}\n{found.as_markdown()}\n{_SOURCE}\n{END}{rest.partition(END)[2]}"


def _loopspec(folder: Path, *arguments: str) -> None:
    _run(folder, [sys.executable, "-m", "loopspec", *arguments])


def _run(folder: Path, words: Sequence[str]) -> None:
    ran = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    if ran.returncode:
        sys.exit(f"{shlex.join(words)} has ended with {ran.returncode}:\n{ran.stdout}{ran.stderr}")


def main() -> None:
    """Write the results and the table, or compare them."""
    parser = argparse.ArgumentParser(prog="python -m tests.table", description=(__doc__ or "").partition(":")[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("reports", nargs="*", type=Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = Results(1, (*reported(args.reports or run_all(Path(folder))), *recorded()))
    page = PAGE.read_text(encoding="utf-8")
    if not args.check:
        RESULTS.write_text(found.as_text(), encoding="utf-8")
        PAGE.write_text(with_table(page, found), encoding="utf-8")
    elif _of_examples(results()) != _of_examples(found):
        sys.exit(f"{NAME} is not what the suite finds: run `python -m tests.table`")
    elif with_table(page, results()) != page:
        sys.exit(f"README's table is not that of {NAME}: run `python -m tests.table`")


if __name__ == "__main__":
    main()
