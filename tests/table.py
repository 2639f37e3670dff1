"""What the suite finds on each implementation: `python -m tests.table [--check] [REPORT …]`.

It writes `conformance/known/loopspec_known/results.json`, which the site of `loopspec docs` shows, and the table in
README. Without reports it judges the reference, and each of `LIVE` as a known target, which needs the network, Go and
Node: in all variants where the baseline covers them. It also judges what is recorded of others, see
`tests/recorded.py`.

`--check` writes nothing, and fails where one of the two says something else about an example. It accepts reports of
some implementations. `loopspec known --table` compares the file without a checkout.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from loopspec.engine.baseline import Baseline, load_baseline
from loopspec.reports.merging import read_accounts
from loopspec.specification.features import compiled
from loopspec_known.judged import REFERENCE, from_report, in_results, of_examples
from loopspec_known.results import NAME, Judged, Results, judged, results
from loopspec_known.targets import known

from .recorded import ADAPTERS, Stale, command, read_record

ROOT = Path(__file__).parents[1]
PAGE, RESULTS = ROOT / "README.md", ROOT / "conformance/known/loopspec_known" / NAME
LIVE = (
    *("langchain", "pydantic-ai", "agent-framework", "openai-agents", "google-adk"),
    *("eino", "langchain-js", "vercel-ai"),
)
_SOURCE = """\
An own posture is a documented choice that differs from ours, and neither good nor bad: it is judged as documented. The
Xpert AI plugin middleware is a document of the plugin layer. The source is
[results.json](conformance/known/loopspec_known/results.json).
"""
BEGIN, END = "<!-- the table: python -m tests.table -->\n", "<!-- the end of the table -->\n"


def run_all(folder: Path) -> list[Path]:
    """The reports of the reference and of all that are judged here, in this order."""
    reports = [folder / f"{name}.jsonl" for name in ("reference", *LIVE)]
    for target, report in zip(("reference", *(f"known:{name}" for name in LIVE)), reports, strict=True):
        variants = "all" if target == "reference" or known(target.removeprefix("known:")).declared.variants else "none"
        _loopspec("run", target, "--variants", variants, "-n", "2", "--report", str(report))
    return reports


def reported(reports: Sequence[Path]) -> Iterator[Judged]:
    """The results of the reference and of all that were judged here, by their reports."""
    for of, path in zip((None, *map(known, LIVE)), reports, strict=True):
        yield from_report(path, of)


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


def with_table(text: str, found: Results) -> str:
    """README with the table of these results."""
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}\n{found.as_markdown()}\n{_SOURCE}\n{END}{rest.partition(END)[2]}"


def _loopspec(*arguments: str) -> None:
    words = [sys.executable, "-m", "loopspec", *arguments]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    if ran.returncode:
        sys.exit(f"{shlex.join(words)} has ended with {ran.returncode}:\n{ran.stdout}{ran.stderr}")


def main() -> None:
    """Write the results and the table, or compare them."""
    parser = argparse.ArgumentParser(prog="python -m tests.table", description=(__doc__ or "").partition(":")[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("reports", nargs="*", type=Path)
    args = parser.parse_args()
    if args.check:
        _check(args.reports)
        return
    with tempfile.TemporaryDirectory() as folder:
        unordered = {one.adapter: one for one in (*reported(args.reports or run_all(Path(folder))), *recorded())}
    order = [REFERENCE, *((ADAPTERS / one.folder.name).relative_to(ROOT).as_posix() for one in in_results())]
    found = Results(1, tuple(unordered[adapter] for adapter in order))
    RESULTS.write_text(found.as_text(), encoding="utf-8")
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8"), found), encoding="utf-8")


def _check(reports: Sequence[Path]) -> None:
    """Compare what the results have of the implementations of these reports, and of all that are recorded."""
    shipped = {one.name: one for one in results().implementations}
    by_folder = {one.folder.name: one for one in in_results()}
    found = [*recorded()]
    for path in reports:
        (report,) = read_accounts([path])
        name = str(report.run.identity)
        if name not in shipped:
            sys.exit(f"{NAME} has no results of {name}: run `python -m tests.table`")
        found.append(from_report(path, by_folder.get(shipped[name].adapter.rpartition("/")[2])))
    for one in found:
        if of_examples(shipped[one.name]) != of_examples(one):
            sys.exit(f"{NAME} has other results of {one.name} than the suite finds: run `python -m tests.table`")
    page = PAGE.read_text(encoding="utf-8")
    if with_table(page, results()) != page:
        sys.exit(f"README's table is not that of {NAME}: run `python -m tests.table`")


if __name__ == "__main__":
    main()
