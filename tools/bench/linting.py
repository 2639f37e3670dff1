"""`loopspec lint` compared with `os.walk` of the same repository."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from loopspec.contract.dialects import dialect_names
from loopspec_instructions.linting import lint, rules

from .measuring import Row, best_in_turns, cpu_seconds

FOLDERS, FILES, INSTRUCTIONS = 2_000, 100_000, 500
ROUNDS, LITTLE = 7, 50  # the short form has so many times fewer files
BUDGETS = {"codex": 1.5, "qwen-code": 1.5, "all": 3.0}
# The names of the instruction files. A name that most tools read is the slowest case: each tool reads each file.
NAMES = {
    "of all names": ("AGENTS.md", "AGENTS.md", "AGENTS.md", "CLAUDE.md", "GEMINI.md", "QWEN.md"),
    "named AGENTS.md": ("AGENTS.md",),
}


def repository(base: Path, names: Sequence[str], folders: int = FOLDERS) -> Path:
    """A repository with four levels of folders; the instruction files are as long as those of real projects."""
    root = base / "repository"
    root.mkdir()
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    for number in range(folders):
        folder = root / f"p{number % 10}" / f"q{number // 10 % 20}" / f"r{number // 200}"
        folder.mkdir(parents=True, exist_ok=True)
        for module in range(FILES // FOLDERS):
            (folder / f"module_{module}.py").touch()
        if number % (FOLDERS // INSTRUCTIONS) == 0:
            name = names[number // 4 % len(names)]
            text = f"# Part {number}\n\nOwned by {number}.\n" + "Prefer small functions. Say why, not what.\n" * 30
            (folder / name).write_text(text)
    return root


def rows(short: bool) -> Iterator[Row]:
    """Seconds of CPU for one dialect and for all, and those of `os.walk`."""
    rules()
    for kind, names in NAMES.items():
        yield from _rows(kind, names, FOLDERS // LITTLE if short else FOLDERS, 1 if short else ROUNDS)


def _rows(kind: str, names: Sequence[str], folders: int, rounds: int) -> list[Row]:
    tools: dict[str, Sequence[str]] = {"codex": ["codex"], "qwen-code": ["qwen-code"], "all": dialect_names()}
    with tempfile.TemporaryDirectory() as base:
        root = repository(Path(base), names, folders)
        lint(root, dialect_names())  # imports what is loaded when needed, and fills the cache of the disk
        walk, *ours = best_in_turns(
            rounds,
            lambda: cpu_seconds(lambda: sum(len(files) for _, _, files in os.walk(root))),
            *(partial(cpu_seconds, partial(lint, root, used)) for used in tools.values()),
        )
    against = f"os.walk of {FILES:,} files, {INSTRUCTIONS} instruction files {kind}"
    return [Row(f"lint as {name}", took, walk, against, BUDGETS[name]) for name, took in zip(tools, ours, strict=True)]
