"""`loopspec init`: something to begin with."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from ...contract.faults import UsageError
from ...engine.output import write_text

BASELINE = "loopspec-baseline.toml"


@dataclass(frozen=True)
class Beginning:
    """What is written for a language, and how it is tried. `unless_above`: not where a folder further up has one."""

    files: tuple[str, ...]
    trying: str
    unless_above: str = ""


BEGINNINGS = {
    "py": Beginning(("loopspec_adapter.py",), "loopspec run py:loopspec_adapter:Adapter"),
    "go": Beginning(
        ("go.mod", "main.go", "rpc.go", "loader.go"),
        'go build -o loopspec-adapter . && loopspec run cmd:"./loopspec-adapter"',
        unless_above="go.mod",
    ),
    "node": Beginning(("adapter.mjs", "loader.mjs"), 'loopspec run cmd:"node adapter.mjs"'),
}


def init(args: argparse.Namespace) -> int:
    """Write a starting adapter that runs as it is, a baseline and a snippet for CI; touch nothing that is there."""
    folder: Path = args.folder
    if not folder.is_dir():
        raise UsageError(f"there is no folder {folder}")
    beginning = BEGINNINGS[args.language]
    names = [name for name in beginning.files if name != beginning.unless_above or not _is_above(name, folder)]
    names += [BASELINE, "loopspec-ci.yml"]
    for name in names:
        if (folder / name).exists():
            raise UsageError(f"{folder / name} exists already: nothing was written")
    if args.language == "go" and any(folder.glob("*.go")):
        raise UsageError(f"there is a Go package in {folder} already: name a folder of its own, nothing was written")
    templates = resources.files("loopspec.cli") / "templates"
    for name in names:
        template = templates / name if name == BASELINE else templates / args.language / name
        write_text(folder / name, template.read_text(encoding="utf-8"))
        print(f"wrote {folder / name}")
    if args.language != "py":
        print("the loader in it is a placeholder: some rules fail until yours is in its place")
    print(f"now: {beginning.trying} --baseline {BASELINE}")
    return 0


def _is_above(name: str, folder: Path) -> bool:
    """Whether the folder, or one that holds it, has a file of this name: a module that the adapter belongs to."""
    here = folder.resolve()
    return any((one / name).is_file() for one in (here, *here.parents))
