"""Reads instruction files with RepoContext of pydantic-ai-harness, by the instructions that a model receives."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from importlib.metadata import version
from pathlib import Path

from pydantic_ai import Agent
from pydantic_ai.capabilities import LocalWorkspace
from pydantic_ai.messages import ModelRequest
from pydantic_ai.models.test import TestModel
from pydantic_ai_harness.repo_context import RepoContext

from loopspec import WorkspaceFile, WorkspaceReading

_FILE = re.compile(r'<context-file path="([^"\n]*)">\n(.*?)\n</context-file>(?:\n\n|\Z)', re.DOTALL)


class Context:
    """RepoContext with its default settings, over the files of this machine."""

    name = "pydantic-ai-harness RepoContext"
    dialect = "pydantic-ai-harness"
    version = version("pydantic-ai-harness")

    async def read_workspace(self, cwd: Path, home: Path) -> WorkspaceReading:
        """Read the files that the agent sends as instructions; `home` changes nothing."""
        agent = Agent(TestModel(), capabilities=[LocalWorkspace(cwd), RepoContext()])
        request, *_ = (await agent.run("x")).all_messages()
        assert isinstance(request, ModelRequest)
        return WorkspaceReading([*_files(request.instructions or "", cwd.resolve())])


def _files(instructions: str, folder: Path) -> Iterator[WorkspaceFile]:
    """The files between their tags: RepoContext escapes a closing tag in a file."""
    for path, text in _FILE.findall(instructions):
        yield WorkspaceFile(str(folder / unescape(path)), text)
