"""`python -m tools.reading_order`: write the table of folders in features/README.md, from features/order.toml."""

from __future__ import annotations

from loopspec.specification.order import order

from .pages import ROOT, Block

BLOCK = Block(ROOT / "features" / "README.md", "the reading order", "tools.reading_order")


def table() -> str:
    """The folders in reading order, as a table in Markdown."""
    rows = [f"| `{folder.path}/` | {folder.title} | {folder.says} |" for folder in order().folders]
    return "\n".join(["| folder | topic | |", "| --- | --- | --- |", *rows, ""])


if __name__ == "__main__":
    BLOCK.write(table())
