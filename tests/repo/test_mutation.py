"""The list of the generated mutants that survive is about the code of today."""

from __future__ import annotations

import ast
import tomllib
from collections import Counter
from pathlib import Path

import loopspec_reference

FOLDER = Path(__file__).parents[2] / "tools" / "mutation"
ROWS: list[dict[str, str]] = tomllib.loads((FOLDER / "survivors.toml").read_text(encoding="utf-8"))["survivor"]
REASONS = ("words", "open", "equivalent", "unreachable")


def functions_in(file: str) -> set[str]:
    """The functions and methods of a file of the reference."""
    tree = ast.parse((Path(loopspec_reference.__file__).parents[1] / file).read_text(encoding="utf-8"))
    found = set[str]()
    for node in tree.body:
        for inner in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef):
                found.add(f"{node.name}.{inner.name}" if isinstance(node, ast.ClassDef) else inner.name)
    return found


def test_each_survivor_is_a_change_of_a_function_of_the_reference() -> None:
    """A row whose function is gone is out of date, and so is one whose new line is the code itself."""
    assert [row["function"] for row in ROWS if row["function"] not in functions_in(row["file"])] == []
    sources = {row["file"]: Path(loopspec_reference.__file__).parents[1] / row["file"] for row in ROWS}
    lines = {file: {line.strip() for line in path.read_text("utf-8").splitlines()} for file, path in sources.items()}
    assert [row["change"] for row in ROWS if row["change"] in lines[row["file"]]] == []


def test_readme_counts_the_survivors() -> None:
    """The table has the number of survivors for each reason."""
    counts = Counter(row["why"] for row in ROWS)
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")

    assert set(counts) <= set(REASONS)
    assert [f"| {counts[why]} |" in readme for why in REASONS] == [True] * len(REASONS)
    assert f"lists the {len(ROWS)} survivors" in readme
