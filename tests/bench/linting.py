"""`loopspec lint` compared with `os.walk` of the same repository."""

from __future__ import annotations

import gc
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from loopspec.contract.dialects import dialect_names
from loopspec_instructions.linting import lint, rules

from .measuring import Row

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
    with tempfile.TemporaryDirectory() as base:
        root = repository(Path(base), names, folders)
        lint(root, dialect_names())  # imports what is loaded when needed, and fills the cache of the disk
        tools: dict[str, Sequence[str]] = {"codex": ["codex"], "qwen-code": ["qwen-code"], "all": dialect_names()}
        ours: dict[str, list[float]] = {name: [] for name in tools}
        walks: list[float] = []
        for _ in range(rounds):
            walks.append(_cpu(lambda: sum(len(files) for _, _, files in os.walk(root))))
            for name, used in tools.items():
                ours[name].append(_cpu(lambda used=used: lint(root, used)))  # type: ignore[misc]  # a default of a lambda
        against = f"os.walk of {FILES:,} files, {INSTRUCTIONS} instruction files {kind}"
        return [
            Row(f"lint as {name}", min(seconds), min(walks), against, BUDGETS[name]) for name, seconds in ours.items()
        ]


def _cpu(run: Callable[[], object]) -> float:
    gc.collect()
    began = time.process_time()
    run()
    return time.process_time() - began
