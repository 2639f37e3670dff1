"""Reads a workspace as Claude Code does: `claude -p` sends the files to a model endpoint on loopback."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import zip_longest
from pathlib import Path

from loopspec import WorkspaceFile, WorkspaceReading
from loopspec_instructions.command_line.mock_model import Body, MockModel, first_request, user_texts
from loopspec_instructions.command_line.programs import npm_folder

SECONDS = 40  # for one workspace
_PACKAGE = "node_modules/@anthropic-ai/claude-code/package.json"
_BINARY = "node_modules/@anthropic-ai/claude-code-linux-x64/claude"
_HEADING = re.compile(
    r"^Contents of (/.*?) \((?:user's private global instructions for all projects|"
    r"project instructions, checked into the codebase|user's private project instructions, not checked in)\):\n\n",
    re.MULTILINE,
)
_END = "\n</system-reminder>"


class ClaudeCodeWorkspace:
    """Starts one process for each workspace, and kills its group at the first request.

    `folder` is the folder in which npm has installed Claude Code.
    """

    name = "claude-code"
    dialect = "claude-code"
    capabilities = ("import-agreement",)

    def __init__(self, folder: Path | None = None, seconds: float = SECONDS) -> None:
        place = npm_folder("CLAUDE_CODE_FOLDER", Path(__file__).parent, [_PACKAGE, _BINARY], folder)
        self.version: str = json.loads((place / _PACKAGE).read_text())["version"]
        self._command = [str(place / _BINARY), "-p", "x", "--no-session-persistence"]
        self._seconds = seconds

    def read_workspace(self, cwd: Path, home: Path, agreed: bool = False) -> WorkspaceReading:
        """Read the files that Claude Code sends to the model at the start."""
        if agreed:
            _agree(cwd.resolve(), home)
        body = first_request(self._command, cwd, partial(_environment, home), self._seconds, user_texts)
        return WorkspaceReading([*_files(body)])


def _agree(cwd: Path, home: Path) -> None:
    """Note in the home folder that the user has agreed to imports from outside the working directory."""
    approved = {"hasClaudeMdExternalIncludesApproved": True}
    folders = [cwd, *cwd.parents]
    root = next((folder for folder in folders if (folder / ".git").exists()), cwd)
    (home / ".claude.json").write_text(json.dumps({"projects": {str(root): approved}}))


def _environment(home: Path, model: MockModel) -> Mapping[str, str]:
    return {
        "HOME": str(home),
        "PATH": os.defpath,
        "ANTHROPIC_BASE_URL": model.address,
        "ANTHROPIC_API_KEY": "none",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
    }


def _files(body: Body) -> Iterator[WorkspaceFile]:
    """The files of a request: each has a heading, and an empty line separates two.

    A line of a file that looks like a heading is one only if it names a file.
    """
    for text in user_texts(body):
        headings = [heading for heading in _HEADING.finditer(text) if Path(heading[1]).is_file()]
        for heading, following in zip_longest(headings, headings[1:]):
            end = following.start() - 2 if following else len(text.removesuffix(_END))
            yield WorkspaceFile(heading[1], text[heading.end() : end])
