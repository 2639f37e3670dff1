"""Findings about the files that a tool loads: what the model receives of them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Literal

from loopspec.contract.dialects import dialect

from ..reader.reading import LoadedFile
from ..reader.roots import is_inside
from ..surveyed import Outcome, reader_for
from .contents import TRAILING, is_likely_a_file
from .references import check_references
from .scope import Scope, is_configured, joined, names_of, reads_name

Comments = Literal["kept", "removed", "blocks-removed"]


class Loads:
    """What all tools load in all working directories."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._readers: dict[str, list[str]] = {}  # the tools with which the content of a file has been checked
        self._comments: dict[str, dict[str, Comments]] = {}

    def add(self, outcome: Outcome) -> None:
        """Add the findings about what one tool loads in one working directory."""
        scope, tool = self._scope, outcome.tool
        add = partial(scope.found.add, tools=[tool], folder=outcome.folder)
        loaded: dict[str, LoadedFile] = {}
        unseen: list[LoadedFile] = []
        for file in outcome.files:
            real, importer = scope.real_path(file.path), file.importer or ""
            if file.level and real in loaded:
                add("LINT-14", importer, line=file.line, target=loaded[real].path, axes=("import-repeat",))
            loaded.setdefault(real, file)
            if file.line and scope.content(importer).is_comment(file.line):
                add("LINT-06", importer, line=file.line, target=file.path)
            if tool not in (readers := self._readers.setdefault(file.path, [])):
                readers.append(tool)
                unseen.append(file)
        for file in unseen:
            self._check_content(outcome, file)
            for rule, line, path, axes in self._named(outcome, file, loaded):
                add(rule, file.path, line=line, target=path, axes=axes)

    def check_start(self, tool: str, folder: str, imported: Sequence[LoadedFile]) -> None:
        """Report the imports that a tool loads in the folder of the importing file, and not in this folder below."""
        for file in imported:
            if self._scope.is_inside(file.path) and not is_inside(file.path, folder):
                add_start(self._scope, tool, folder, file.importer or file.path, file.line or 1, file.path)

    def _check_content(self, outcome: Outcome, file: LoadedFile) -> None:
        scope, tool, content = self._scope, outcome.tool, self._scope.content(file.path)
        add = partial(scope.found.add, tools=[tool], folder=outcome.folder)
        if content.is_utf_16:
            add("LINT-19", file.path)
        elif content.has_mark and reader_for(tool).byte_order_mark == "kept":
            add("LINT-20", file.path, axes=("byte-order-mark",), fix=("\ufeff", ""))
        if content.comment_line and "comments" in (axes := dialect(tool).axes) and not axes["comments"].unknown:
            self._comments.setdefault(file.path, {})[tool] = reader_for(tool).comments
        if not file.level and not scope.is_inside(file.path):
            add("LINT-27", file.path, axes=("walk",))
        elif file.level and scope.is_inside(file.path) and not scope.is_inside(real := scope.real_path(file.path)):
            add("LINT-21", file.importer or file.path, line=file.line, target=real, axes=("import-links",))

    def _named(
        self, outcome: Outcome, file: LoadedFile, loaded: Mapping[str, LoadedFile]
    ) -> Iterator[tuple[str, int, str, tuple[str, ...]]]:
        """The existing files that a file names and that the tool does not load for it, each with the rule and the line.

        Of a tool with imports, only mentions in code are considered: the others are imports.
        """
        scope, content, above = self._scope, self._scope.content(file.path), file.path.rpartition("/")[0]
        if reader_for(outcome.tool).imports == "none":
            rule, axis, mentions, imported = "LINT-07", "imports", content.mentions, set()
        else:
            rule, axis, mentions = "LINT-05", "import-code", content.coded
            imported = {(each.importer, each.line) for each in outcome.files} if mentions else set()
        for mention in mentions:
            named = mention.path.rstrip(TRAILING)
            path = joined(above, named)
            if not is_likely_a_file(named) or not scope.is_file(path) or (file.path, mention.line) in imported:
                continue
            if rule == "LINT-05" or scope.real_path(path) not in loaded:
                yield rule, mention.line, path, (axis,)
        # A link to an instruction file of the same folder or above, which the tool reads at no other time.
        for line, target in content.links:
            path = joined(above, target)
            if path.rpartition("/")[2] not in scope.own_names or not scope.is_file(path):
                continue
            if is_inside(above, path.rpartition("/")[0] or "/") and scope.real_path(path) not in loaded:
                yield "LINT-29", line, path, ()

    def add_comparisons(self) -> None:
        """Add the findings about files that no single tool shows: what they name, and comments that some remove."""
        scope = self._scope
        check_references(scope, self._readers)
        for path, tools in self._comments.items():
            kept = [tool for tool, value in tools.items() if value == "kept"]
            if kept and len(kept) < len(tools):
                others = ", ".join(sorted(dialect(tool).title for tool in tools if tool not in kept))
                line = scope.content(path).comment_line
                scope.found.add("LINT-28", path, tools=kept, line=line, axes=("comments",), others=others)


def compare(scope: Scope, folder: str, loaded: Mapping[str, frozenset[str]]) -> None:
    """Compare what the tools that search load in a working directory, of the files that several read by name."""
    searching = {tool: paths for tool, paths in loaded.items() if not is_configured(tool)}
    if len(set(searching.values())) < 2:
        return
    for path in sorted(frozenset[str]().union(*searching.values())):
        if not scope.is_inside(path) or not is_inside(folder, _folder_of(path, searching) or "/"):
            continue
        reading = [tool for tool, paths in searching.items() if path in paths]
        missing = [
            tool
            for tool, paths in searching.items()
            if path not in paths and (tool, path) not in scope.explained and reads_name(tool, path)
        ]
        if missing:
            others = ", ".join(dialect(tool).title for tool in missing)
            axes = ("selection", "walk")
            scope.found.add("LINT-30", path, tools=reading, folder=folder, at=0, axes=axes, others=others)


def _folder_of(path: str, tools: Iterable[str]) -> str:
    """The folder of the search in which a file is found: above the folder of a name such as ".tool/NAME.md"."""
    folder, _, name = path.rpartition("/")
    above, _, own = folder.rpartition("/")
    return above if any(f"{own}/{name}" in names_of(tool) for tool in tools) else folder


def add_start(scope: Scope, tool: str, folder: str, importer: str, line: int, imported: str) -> None:
    """Add the finding about an import from outside the folder where a tool starts."""
    above = scope.short(os.path.commonpath([importer.rpartition("/")[0], imported.rpartition("/")[0]])) + "/"
    below, tools = scope.short(folder) + "/", [tool]
    scope.found.add(
        "LINT-32", importer, tools=tools, folder=folder, line=line, target=imported, above=above, below=below
    )
