"""The table of loads: for each fault, what is read, what the model receives, and what is reported."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from .figure import Cell, Figure, Table

Breaks = Literal["permission", "io", "not_a_directory"]


class FaultyLoad(Struct, frozen=True):
    """A load with a fault: the files, those that are configured, and what comes of it.

    `broken` are paths that fail to be read, `limit` is the byte limit. `said` describes the files. `warned` are the
    paths of the warnings, in order. `error` is the error that ends the load.
    """

    fault: str
    said: str
    rules: tuple[str, ...]
    files: dict[str, str]
    configured: tuple[str, ...]
    read: tuple[str, ...]
    shown: tuple[str, ...]
    broken: dict[str, Breaks] = {}
    limit: int = 0
    warned: tuple[str, ...] = ()
    error: Breaks | None = None


_CHAIN = {f"{level}.md": f"@{level + 1}.md" for level in range(7)}

LOADS = (
    FaultyLoad(
        "A configured file is missing",
        "a.md and b.md are configured; a.md does not exist",
        ("AMD-ERROR-01",),
        {"b.md": "B."},
        ("a.md", "b.md"),
        read=("a.md", "b.md"),
        shown=("b.md",),
        warned=("a.md",),
    ),
    FaultyLoad(
        "Every configured file is missing",
        "a.md and b.md are configured; neither exists",
        ("AMD-ERROR-01", "AMD-ERROR-14"),
        {},
        ("a.md", "b.md"),
        read=("a.md", "b.md"),
        shown=(),
        warned=("a.md", "b.md"),
    ),
    FaultyLoad(
        "An imported file is missing",
        "a.md imports b.md and c.md; b.md does not exist",
        ("AMD-ERROR-02", "AMD-ERROR-09"),
        {"a.md": "@b.md @c.md", "c.md": "C."},
        ("a.md",),
        read=("a.md", "b.md", "c.md"),
        shown=("a.md", "c.md"),
        warned=("b.md",),
    ),
    FaultyLoad(
        "A configured file cannot be read",
        "a.md, b.md and c.md are configured; reading b.md fails",
        ("AMD-ERROR-03", "AMD-ERROR-06"),
        {"a.md": "A.", "b.md": "B.", "c.md": "C."},
        ("a.md", "b.md", "c.md"),
        read=("a.md", "b.md"),
        shown=(),
        broken={"b.md": "permission"},
        error="permission",
    ),
    FaultyLoad(
        "An imported file cannot be read",
        "a.md imports b.md and c.md; reading b.md fails",
        ("AMD-ERROR-04", "AMD-ERROR-06"),
        {"a.md": "@b.md @c.md", "b.md": "B.", "c.md": "C."},
        ("a.md",),
        read=("a.md", "b.md"),
        shown=(),
        broken={"b.md": "io"},
        error="io",
    ),
    FaultyLoad(
        "A path leads through a file",
        "a.md imports b.md/c.md, and b.md is not a folder",
        ("AMD-ERROR-13",),
        {"a.md": "@b.md/c.md"},
        ("a.md",),
        read=("a.md", "b.md/c.md"),
        shown=(),
        broken={"b.md/c.md": "not_a_directory"},
        error="not_a_directory",
    ),
    FaultyLoad(
        "A file is missing, and a later file cannot be read",
        "a.md and b.md are configured; a.md does not exist, reading b.md fails",
        ("AMD-ERROR-05",),
        {"b.md": "B."},
        ("a.md", "b.md"),
        read=("a.md", "b.md"),
        shown=(),
        broken={"b.md": "permission"},
        warned=("a.md",),
        error="permission",
    ),
    FaultyLoad(
        "A file imports itself",
        "a.md imports a.md",
        ("AMD-CYCLE-01",),
        {"a.md": "@a.md"},
        ("a.md",),
        read=("a.md",),
        shown=("a.md",),
        warned=("a.md",),
    ),
    FaultyLoad(
        "Two files import each other",
        "a.md imports b.md, and b.md imports a.md",
        ("AMD-CYCLE-02",),
        {"a.md": "@b.md", "b.md": "@a.md"},
        ("a.md",),
        read=("a.md", "b.md"),
        shown=("a.md", "b.md"),
        warned=("a.md",),
    ),
    FaultyLoad(
        "An import is too deep",
        "0.md imports 1.md, and so on down to 6.md",
        ("AMD-DEPTH-01", "AMD-DEPTH-02", "AMD-DEPTH-03"),
        _CHAIN,
        ("0.md",),
        read=tuple(_CHAIN)[:6],
        shown=tuple(_CHAIN)[:6],
        warned=("6.md",),
    ),
    FaultyLoad(
        "The first file crosses the byte limit",
        "a.md and b.md are configured; a.md has 20 bytes; the limit is 10",
        ("AMD-BUDGET-02", "AMD-BUDGET-06", "AMD-BUDGET-11"),
        {"a.md": "A" * 20, "b.md": "B."},
        ("a.md", "b.md"),
        read=("a.md",),
        shown=("a.md",),
        limit=10,
        warned=("b.md",),
    ),
    FaultyLoad(
        "A later file crosses the byte limit",
        "a.md, b.md and c.md are configured; b.md has 20 bytes; the limit is 10",
        ("AMD-BUDGET-12", "AMD-BUDGET-14", "AMD-BUDGET-11"),
        {"a.md": "A.", "b.md": "B" * 20, "c.md": "C."},
        ("a.md", "b.md", "c.md"),
        read=("a.md", "b.md"),
        shown=("a.md",),
        limit=10,
        warned=("b.md", "c.md"),
    ),
    FaultyLoad(
        "An import crosses the byte limit",
        "a.md imports b.md and c.md; b.md has 20 bytes; the limit is 20",
        ("AMD-BUDGET-08", "AMD-BUDGET-09", "AMD-BUDGET-10"),
        {"a.md": "@b.md @c.md", "b.md": "B" * 20, "c.md": "C."},
        ("a.md",),
        read=("a.md", "b.md"),
        shown=("a.md", "b.md"),
        limit=20,
        warned=("c.md",),
    ),
    FaultyLoad(
        "No fault: two files import the same file",
        "a.md and b.md are configured, and both import c.md",
        ("AMD-DEDUP-01", "AMD-DEDUP-02", "AMD-DEDUP-07"),
        {"a.md": "@c.md", "b.md": "@c.md", "c.md": "C."},
        ("a.md", "b.md"),
        read=("a.md", "c.md", "b.md"),
        shown=("a.md", "c.md", "b.md"),
    ),
    FaultyLoad(
        "No fault: every file is empty",
        "a.md is configured and empty",
        ("AMD-INJECT-10",),
        {"a.md": ""},
        ("a.md",),
        read=("a.md",),
        shown=(),
    ),
)

_ERRORS: dict[Breaks, str] = {
    "permission": "the permission error",
    "io": "the I/O error",
    "not_a_directory": "the “not a directory” error",
}
_SUMMARY = (
    "Each row shows a fault and what becomes of the load. A missing file, an import cycle, an import that is too deep "
    "and the byte limit cause a warning, and the load continues. "
    "Every other error ends the load: the model receives nothing."
)


def figure() -> Figure:
    """Make the table of loads."""
    rows = tuple(
        (
            Cell(load.fault, load.rules),
            Cell(load.said),
            Cell(", ".join(load.read)),
            Cell(", ".join(load.shown) or "nothing"),
            Cell(_reported(load)),
        )
        for load in LOADS
    )
    return Figure(
        name="loads",
        title="Faults of a load",
        summary=_SUMMARY,
        areas=("AMD-ERROR", "AMD-CYCLE", "AMD-DEPTH", "AMD-BUDGET"),
        table=Table(("Fault", "Files", "Read", "The model receives", "Reported"), rows),
    )


def _reported(load: FaultyLoad) -> str:
    parts = [f"warning about {' and about '.join(load.warned)}"] if load.warned else []
    parts += [f"{_ERRORS[load.error]} ends the load"] if load.error else []
    return "; ".join(parts) or "nothing"
