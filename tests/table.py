"""README's table of results: `python -m tests.table [--check] [REPORT …]`.

Without reports, the reference is judged, and each of `LIVE` by the command in its README, which needs the extra
`langchain` and Go. Records of other implementations are judged as well: see `tests/recorded.py`. `--check` writes
nothing, and fails if README differs.
"""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from loopspec.contract.specification import digest
from loopspec.engine.result import by_rule
from loopspec.engine.verdict import worst
from loopspec.reports.matrix import Column, as_markdown, column

from .recorded import ADAPTERS, Stale, command, read_record

ROOT = Path(__file__).parents[1]
LIVE = ("langchain", "eino")
BEGIN, END = "<!-- the table: python -m tests.table -->\n", "<!-- the end of the table -->\n"


def judged(folder: Path) -> list[Path]:
    """The reports of the reference and of the live implementations, in order."""
    reports = [folder / f"{name}.jsonl" for name in ("reference", *LIVE)]
    _loopspec(ROOT, "run", "reference", "--report", str(reports[0]))
    for name, report in zip(LIVE, reports[1:], strict=True):
        for build in re.findall(r"^go build .*$", (ADAPTERS / name / "README.md").read_text("utf-8"), re.MULTILINE):
            _run(ADAPTERS / name, shlex.split(build))
        _loopspec(ADAPTERS / name, *command(ADAPTERS / name), "--report", str(report))
    return reports


def recorded() -> Iterator[Column]:
    """The records of implementations that are not installed, judged by the current features."""
    for path in sorted(ADAPTERS.glob("*/recorded.jsonl")):
        record = read_record(path.parent)
        try:
            rules = by_rule(record.results())
        except Stale as stale:
            sys.exit(str(stale))
        verdicts = {rule: worst([result.verdict for result in results]) for rule, results in rules.items()}
        yield Column(f"{record.asked.identity.name} {record.asked.identity.version}", digest(), verdicts)


def _loopspec(folder: Path, *arguments: str) -> None:
    _run(folder, [sys.executable, "-m", "loopspec", *arguments])


def _run(folder: Path, words: Sequence[str]) -> None:
    ran = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    if ran.returncode:
        sys.exit(f"{shlex.join(words)} has ended with {ran.returncode}:\n{ran.stdout}{ran.stderr}")


def main() -> None:
    """Write the table, or compare it."""
    parser = argparse.ArgumentParser(prog="python -m tests.table", description=(__doc__ or "").partition(":")[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("reports", nargs="*", type=Path)
    args = parser.parse_args()
    page = ROOT / "README.md"
    text = page.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    with tempfile.TemporaryDirectory() as folder:
        columns = [column(path) for path in args.reports or judged(Path(folder))]
    table = as_markdown([*columns, *recorded()])
    wanted = f"{before}{BEGIN}\n{table}\n{END}{rest.partition(END)[2]}"
    if not args.check:
        page.write_text(wanted, encoding="utf-8")
    elif wanted != text:
        sys.exit("README's table is not what the suite finds: run `python -m tests.table`")


if __name__ == "__main__":
    main()
