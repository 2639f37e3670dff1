"""The reference's loader against a bare loop with the same regular expression."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import partial

from loopspec_reference import MemoryBackend, ReadRequest
from loopspec_reference.agentsmd import load

from .measuring import Row, best_of

SIZES = (1, 100, 1_000, 10_000)
FILLING = "Prefer small functions and say why, not what. " * 4  # about what an instruction is long
WAYS = 10  # imports per file of a tree
MENTION = re.compile(r"@([a-zA-Z0-9_.~/][a-zA-Z0-9_.~/\-]*)")

Load = Callable[[MemoryBackend], Awaitable[int]]


def flat(count: int) -> dict[str, str]:
    """One file that imports all others."""
    files = {f"/p/{n}.md": f"{n} {FILLING}" for n in range(1, count)}
    return {"/p/0.md": " ".join(["0", *(f"@{n}.md" for n in range(1, count))]), **files}


def tree(count: int) -> dict[str, str]:
    """Files that import ten each: 10,000 of them are four levels deep."""
    return {
        f"/p/{n}.md": " ".join(
            [f"{n} {FILLING}", *(f"@{m}.md" for m in range(n * WAYS + 1, min(n * WAYS + WAYS + 1, count)))]
        )
        for n in range(count)
    }


async def ours(backend: MemoryBackend) -> int:
    """The loader."""
    return len(await load(backend, ["/p/0.md"], 0, lambda warning: None))


async def bare(backend: MemoryBackend) -> int:
    """The least that could be called a loader: it reads each mention once, from the importer's folder."""
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

    await add("/p/0.md")
    return len(sections)


def rows() -> list[Row]:
    """Seconds per load, for each shape and size; every load is checked to have found every file."""
    shapes: Mapping[str, Callable[[int], dict[str, str]]] = {"flat": flat, "tree": tree}
    found = []
    for shape, make in shapes.items():
        for size in SIZES:
            backend = MemoryBackend(make(size))
            times = {}
            for name, loader in (("loader", ours), ("bare loop", bare)):
                times[name] = best_of(partial(_run, loader, backend, size), 7 if size > 1_000 else 15)
            budget = 2 if size == SIZES[-1] else None
            what = f"load {size:,} files, {shape}"
            found.append(Row(what, times["loader"], times["bare loop"], "a bare loop with the same regex", budget))
    return found


def _run(loader: Load, backend: MemoryBackend, size: int) -> float:
    async def timed() -> float:
        began = asyncio.get_running_loop().time()
        assert await loader(backend) == size
        return asyncio.get_running_loop().time() - began

    return asyncio.run(timed())
