"""The reference's loader compared with a minimal loop with the same regular expression."""

from __future__ import annotations

import asyncio
import gc
import re
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from functools import partial

from loopspec_reference import MemoryBackend, ReadRequest
from loopspec_reference.agentsmd import load

from .measuring import Row, best_in_turns

SIZES = (1, 100, 1_000, 10_000)
ROUNDS = {1: 60, 100: 60, 1_000: 60, 10_000: 20}  # by size
BUDGET = 1.4  # for the largest size
FILLING = "Prefer small functions and say why, not what. " * 4  # about the length of an instruction
WAYS = 10  # imports per file of a tree
MENTION = re.compile(r"@([a-zA-Z0-9_.~/][a-zA-Z0-9_.~/\-]*)")

Load = Callable[[MemoryBackend, Sequence[str]], Awaitable[int]]
Files = dict[str, str]


def imported(count: int) -> Files:
    """One file that imports all others."""
    files = {f"/p/{n}.md": f"{n} {FILLING}" for n in range(1, count)}
    return {"/p/0.md": " ".join(["0", *(f"@{n}.md" for n in range(1, count))]), **files}


def configured(count: int) -> Files:
    """Configured files without imports."""
    return {f"/p/{n}.md": f"{n} {FILLING}" for n in range(count)}


def tree(count: int) -> Files:
    """Files with ten imports each: 10,000 of them are four levels deep."""
    return {
        f"/p/{n}.md": " ".join(
            [f"{n} {FILLING}", *(f"@{m}.md" for m in range(n * WAYS + 1, min(n * WAYS + WAYS + 1, count)))]
        )
        for n in range(count)
    }


# by shape: the files, and the number of configured ones
SHAPES: Mapping[str, tuple[Callable[[int], Files], Callable[[int], int]]] = {
    "one imports all": (imported, lambda count: 1),
    "all configured": (configured, lambda count: count),
    "tree": (tree, lambda count: 1),
}


async def ours(backend: MemoryBackend, files: Sequence[str]) -> int:
    """Load with the reference's loader."""
    return len(await load(backend, files, 0, lambda warning: None))


async def bare(backend: MemoryBackend, files: Sequence[str]) -> int:
    """Load with the minimum of work: read each file once, find its imports, and resolve them in the file's folder."""
    seen: set[str] = set()
    sections: list[tuple[str, str]] = []

    async def add(path: str) -> None:
        seen.add(path)
        text = str(await backend.read(ReadRequest(path)))
        sections.append((path, text))
        folder = path.rpartition("/")[0]
        for mention in MENTION.findall(text):
            imported = f"{folder}/{mention}"
            if imported not in seen:
                await add(imported)

    for path in files:
        if path not in seen:
            await add(path)
    return len(sections)


def rows(short: bool) -> Iterator[Row]:
    """Seconds per load for each shape and size; each load must find every file."""
    for shape, (make, roots) in SHAPES.items():
        for size in SIZES:
            files = make(size)
            backend, first = MemoryBackend(files), list(files)[: roots(size)]
            mine, least = best_in_turns(
                1 if short else ROUNDS[size],
                *(partial(_seconds, loader, backend, first, size) for loader in (ours, bare)),
            )
            budget = BUDGET if size == SIZES[-1] else None
            yield Row(f"load {size:,} files, {shape}", mine, least, "a bare loop with the same regex", budget)


def _seconds(loader: Load, backend: MemoryBackend, files: Sequence[str], size: int) -> float:
    async def timed() -> float:
        began = time.process_time()  # CPU time of this process: nothing waits
        assert await loader(backend, files) == size
        return time.process_time() - began

    gc.collect()  # so that no load pays for the garbage of the previous one
    return asyncio.run(timed())
