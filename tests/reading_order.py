"""The table of folders in features/README.md: `python -m tests.reading_order [--check]`.

`--check` writes nothing, and fails if the table is not the one of features/order.toml.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from loopspec.specification.order import order

PAGE = Path(__file__).parents[1] / "features" / "README.md"
BEGIN = "<!-- the reading order: python -m tests.reading_order -->\n"
END = "<!-- the end of the reading order -->\n"


def table() -> str:
    """The folders in reading order, as a table in Markdown."""
    rows = [f"| `{folder.path}/` | {folder.title} | {folder.says} |" for folder in order().folders]
    return "\n".join(["| folder | topic | |", "| --- | --- | --- |", *rows, ""])


def with_table(text: str) -> str:
    """The page with the table of today."""
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}\n{table()}\n{END}{rest.partition(END)[2]}"


def main() -> None:
    """Write the table, or compare it."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.reading_order", description=(__doc__ or "").partition(":")[0]
    )
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    text = PAGE.read_text(encoding="utf-8")
    if not args.check:
        PAGE.write_text(with_table(text), encoding="utf-8")
    elif with_table(text) != text:
        sys.exit("features/README.md is not up to date: run `python -m tests.reading_order`")


if __name__ == "__main__":
    main()
