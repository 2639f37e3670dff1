"""Reads instruction files with deepagents' MemoryMiddleware, by the messages that an agent sends to its model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from deepagents import MemoryMiddleware
from deepagents.backends import FilesystemBackend
from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.outputs import ChatResult

from loopspec import WorkspaceFile, WorkspaceReading

MEMORY_ALONE = "{agent_memory}"  # the system message without deepagents' guidelines around the files
NOTHING = "(No memory loaded)"


class Listener(GenericFakeChatModel):
    """A model that keeps the system message and answers once."""

    system: str = ""

    def _generate(self, messages: list[BaseMessage], *arguments: Any, **options: Any) -> ChatResult:
        # Any: the arguments are LangChain's, and pass through unread.
        self.system = messages[0].text
        return super()._generate(messages, *arguments, **options)


class Memory:
    """MemoryMiddleware over a FilesystemBackend at the root of the disk, as deepagents documents it."""

    name = "deepagents MemoryMiddleware"
    dialect = "deepagents"
    version = version("deepagents")

    def read_workspace(self, cwd: Path, home: Path, configured: Sequence[str] = ()) -> WorkspaceReading:
        """Read the configured files; deepagents searches nothing, and `cwd` and `home` change nothing."""
        sources = list(configured)
        memory: MemoryMiddleware = MemoryMiddleware(
            backend=FilesystemBackend(root_dir="/"), sources=sources, system_prompt=MEMORY_ALONE
        )
        model = Listener(messages=iter([AIMessage("done")]))
        create_agent(model, middleware=[memory]).invoke({"messages": [HumanMessage("x")]})
        if model.system == NOTHING:
            return WorkspaceReading(())
        return WorkspaceReading([*_files(model.system, sources)])


def _files(memory: str, sources: Sequence[str]) -> Iterator[WorkspaceFile]:
    """Split the text at the lines with the sources' paths, which have the sources' order.

    A file that has the line of a later source between empty lines is split there.
    """
    path, text = "", memory
    for source in sources:
        before, mark, rest = f"\n\n{text}".partition(f"\n\n{source}\n\n")
        if not mark:
            continue
        if path:
            yield WorkspaceFile(path, before.removeprefix("\n\n"))
        path, text = source, rest
    yield WorkspaceFile(path, text)
