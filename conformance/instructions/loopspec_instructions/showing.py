"""The instructions that an agent receives for a folder on the disk."""

from __future__ import annotations

import asyncio
from pathlib import Path

from msgspec import Struct

import loopspec_reference as ref
from loopspec_reference.agentsmd import LoadWarning, load, render


class Shown(Struct, frozen=True):
    """The files in their order in the text, the warnings, and the text."""

    files: list[tuple[str, int]]
    warnings: list[tuple[str, str]]
    text: str


def show(file: str, root: Path, max_bytes: int = 0, language: ref.Language | None = None) -> Shown:
    """Load a file of a folder with the reference's loader and `LocalBackend`. Raises what the backend raises."""
    warnings: list[LoadWarning] = []
    sections = asyncio.run(load(ref.LocalBackend(root), [file], max_bytes, warnings.append))
    ref.set_language(language)
    try:
        text = render(sections)
    finally:
        ref.set_language(None)
    return Shown(
        [(section.path, len(section.text.encode())) for section in sections],
        [(warning.path, warning.reason) for warning in warnings],
        text,
    )
