"""README's table of what the suite finds: `python -m tests.table [--check] [REPORT REPORT]`.

Without reports it judges the reference and LangChain, which needs the extra `langchain`. `--check` writes nothing, and
fails where README says something else.
"""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
LANGCHAIN = ROOT / "conformance" / "adapters" / "langchain"
BEGIN, END = "<!-- the table: python -m tests.table -->\n", "<!-- the end of the table -->\n"


def judged(folder: Path) -> list[Path]:
    """The reports of both, LangChain's by the command that its README names."""
    command = re.search(r"^loopspec (run .*?[^\\])$", (LANGCHAIN / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    assert command, "the README of the adapter names no command"
    reports = [folder / "reference.jsonl", folder / "langchain.jsonl"]
    _loopspec("run", "reference", "--report", str(reports[0]))
    _loopspec(*shlex.split(command[1].replace("\\\n", "")), "--report", str(reports[1]))
    return reports


def _loopspec(*arguments: str) -> str:
    ran = subprocess.run(
        [sys.executable, "-m", "loopspec", *arguments], cwd=LANGCHAIN, capture_output=True, text=True, check=False
    )
    if ran.returncode:
        sys.exit(f"loopspec {shlex.join(arguments)} has ended with {ran.returncode}:\n{ran.stdout}{ran.stderr}")
    return ran.stdout


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
        table = _loopspec("report", *map(str, args.reports or judged(Path(folder))), "--markdown")
    wanted = f"{before}{BEGIN}\n{table}\n{END}{rest.partition(END)[2]}"
    if not args.check:
        page.write_text(wanted, encoding="utf-8")
    elif wanted != text:
        sys.exit("README's table is not what the suite finds: run `python -m tests.table`")


if __name__ == "__main__":
    main()
