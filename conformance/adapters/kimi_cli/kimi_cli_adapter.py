"""Reads the instruction files of a workspace with kimi-cli, by its function `load_agents_md`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from kaos.path import KaosPath
from kimi_cli.soul.agent import load_agents_md
from kimi_cli.utils.logging import logger

from loopspec import WorkspaceFile, WorkspaceReading

HEADER = re.compile(r"(?:\A|\n\n)<!-- From: (.+?) -->\n", re.DOTALL)


class KimiCli:
    """kimi-cli's loader of `AGENTS.md` files."""

    name = "kimi-cli"
    dialect = "kimi-cli"
    version = version("kimi-cli")

    async def read_workspace(self, cwd: Path, home: Path) -> WorkspaceReading:
        """Read the files for `cwd`; kimi-cli has no file of the user, and `home` changes nothing."""
        folder = cwd.resolve()  # a process that starts in a linked folder has the real path as its working directory
        warnings: list[str] = []
        # kimi-cli as a library disables its log. The log is that of the whole process.
        logger.enable("kimi_cli")
        logger.configure(handlers=[{"sink": warnings.append, "level": "WARNING", "format": "{message}"}])
        text = await load_agents_md(KaosPath(str(folder)))
        return WorkspaceReading([*_files(text or "", folder)], [said.strip() for said in warnings])


def _files(text: str, cwd: Path) -> Iterator[WorkspaceFile]:
    """Split the text at the lines with paths, which kimi-cli writes from the root to the working directory.

    A file that has such a line with the path of a later file is split there.
    """
    places = [
        str(folder / name)
        for folder in reversed([cwd, *cwd.parents])
        for name in (".kimi/AGENTS.md", "AGENTS.md", "agents.md")
    ]
    path, start = "", 0
    for header in HEADER.finditer(text):
        if header[1] not in places:
            continue
        if path:
            yield WorkspaceFile(path, text[start : header.start()])
        path, start = header[1], header.end()
        del places[: places.index(path) + 1]
    if path:
        yield WorkspaceFile(path, text[start:])
