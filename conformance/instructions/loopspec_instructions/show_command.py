"""`loopspec show`: the instructions that an agent receives for a folder."""

from __future__ import annotations

import argparse
from pathlib import Path

from loopspec.contract.faults import UsageError
from loopspec.contract.names import did_you_mean
from loopspec.engine.output import counted

NAMES = ("AGENTS.md", "Agents.md", "agents.md")


def show(args: argparse.Namespace) -> int:
    """Print the text, the files that it consists of, and the warnings. Return 1 if loading fails."""
    if args.read_as:
        from .show_as import show_as

        return show_as(args)
    for option in ("home", "against", "at", "after"):
        if getattr(args, option):
            raise UsageError(f"--{option} is for --as only: add --as DIALECT")
    import asyncio  # only this form needs the reference

    import loopspec_reference as ref
    from loopspec_reference.agentsmd import LoadWarning, load, render

    path = _file(args.path or Path())
    root = Path(args.root or path.parent)
    try:
        relative = path.resolve().relative_to(root.resolve()).as_posix()
    except ValueError:
        raise UsageError(f"{path} is not in the root folder {root}: name another --root") from None
    warnings: list[LoadWarning] = []
    try:
        sections = asyncio.run(load(ref.LocalBackend(root), [relative], args.max_bytes, warnings.append))
    except OSError as error:
        note = "; ".join(getattr(error, "__notes__", []))
        print(f"loading fails: {error}" + (f" ({note})" if note else ""))
        return 1
    ref.set_language(args.language)
    try:
        text = render(sections)
    finally:
        ref.set_language(None)
    print(text or "(nothing: there is no content to insert)")
    print("\nFiles, in order:")
    for section in sections:
        print(f"  {section.path}  {counted(len(section.text.encode()), 'byte')}")
    print("\nWarnings:")
    for warning in warnings:
        print(f"  {warning.path}: {warning.reason}")
    if not warnings:
        print("  none")
    return 0


def _file(path: Path) -> Path:
    """The instruction file of a folder, or a named file."""
    if path.is_dir():
        for name in NAMES:
            if any(entry.name == name for entry in path.iterdir()):
                return path / name
        raise UsageError(f"the folder {path} has none of {', '.join(NAMES)}: name the file")
    if not path.exists():
        names = [each.name for each in path.parent.iterdir()] if path.parent.is_dir() else []
        raise UsageError(f"there is no file or folder {path}{did_you_mean(path.name, names)}")
    return path
