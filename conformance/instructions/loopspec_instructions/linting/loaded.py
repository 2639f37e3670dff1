"""Findings about the files that a tool loads: what the model receives of them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Literal

from loopspec.contract.dialects import dialect

from ..reader import LoadedFile
from ..reader.roots import is_inside
from ..surveyed import Outcome, reader_for
from .contents import TRAILING, FileContent, is_likely_a_file
from .references import check_references
from .scope import Scope, is_configured, joined, last_names, names_of

Comments = Literal["kept", "removed", "blocks-removed"]


class Loads:
    """What all tools load in all working directories."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._seen: set[tuple[str, str]] = set()  # tools and files whose content has been checked
        self._readers: dict[str, list[str]] = {}
        self._comments: dict[str, dict[str, Comments]] = {}

    def add(self, tool: str, folder: str, outcome: Outcome) -> None:
        """Add the findings about what one tool loads in one working directory."""
        scope = self._scope
        paths: dict[str, LoadedFile] = {}
        unseen: list[LoadedFile] = []
        for file in outcome.files:
            real = scope.real_path(file.path)
            if file.level and real in paths:
                self._found("LINT-14", file, tool, folder, other=scope.short(paths[real].path), axis="import-repeat")
            paths.setdefault(real, file)
            if file.importer and file.line and scope.content(file.importer).is_comment(file.line):
                self._found("LINT-06", file, tool, folder, other=scope.short(file.path))
            if (tool, file.path) not in self._seen:
                self._seen.add((tool, file.path))
                self._readers.setdefault(file.path, []).append(tool)
                unseen.append(file)
        for file in unseen:
            content = scope.content(file.path)
            self._check_content(tool, folder, file, content)
            if content.may_mention and reader_for(tool).imports == "none":
                self._check_mentions(tool, folder, file, content, paths)
            elif content.may_mention:
                self._check_code(tool, folder, file, content, outcome)
            if content.may_link:
                self._check_links(tool, folder, file, content, paths)

    def _found(
        self,
        rule: str,
        file: LoadedFile,
        tool: str,
        folder: str,
        *,
        line: int = 1,
        other: str = "",
        axis: str = "",
        fix: tuple[str, str] | None = None,
    ) -> None:
        """Add a finding, where the file is imported or, for a finding about its content, in the file."""
        scope = self._scope
        at_import = rule in ("LINT-06", "LINT-14", "LINT-21") and file.importer is not None
        path = file.importer if at_import and file.importer else file.path
        line = file.line if at_import and file.line else line
        axes, where = (axis,) if axis else (), scope.short(folder) or "."
        scope.found.add(rule, scope.short(path), [tool], folder=where, line=line, other=other, axes=axes, fix=fix)

    def check_start(self, tool: str, folder: str, imported: Sequence[LoadedFile]) -> None:
        """Report the imports that a tool loads in the folder of the importing file, and not in this folder below."""
        for file in imported:
            if self._scope.is_inside(file.path) and not is_inside(file.path, folder):
                add_start(self._scope, tool, folder, file.importer or file.path, file.line or 1, file.path)

    def _check_content(self, tool: str, folder: str, file: LoadedFile, content: FileContent) -> None:
        scope = self._scope
        if content.is_utf_16:
            self._found("LINT-19", file, tool, folder)
        elif content.has_mark and reader_for(tool).byte_order_mark == "kept":
            self._found("LINT-20", file, tool, folder, axis="byte-order-mark", fix=("\ufeff", ""))
        if content.comment_line and "comments" in (axes := dialect(tool).axes) and not axes["comments"].unknown:
            self._comments.setdefault(file.path, {})[tool] = reader_for(tool).comments
        if not file.level and not scope.is_inside(file.path):
            self._found("LINT-27", file, tool, folder, axis="walk")
        elif file.level and scope.is_inside(file.path) and not scope.is_inside(real := scope.real_path(file.path)):
            self._found("LINT-21", file, tool, folder, other=scope.short(real), axis="import-links")

    def _check_mentions(
        self, tool: str, folder: str, file: LoadedFile, content: FileContent, loaded: Mapping[str, LoadedFile]
    ) -> None:
        above = file.path.rpartition("/")[0]
        for mention in content.mentions:
            named = mention.path.rstrip(TRAILING)
            path = joined(above, named)
            if is_likely_a_file(named) and self._scope.is_file(path) and self._scope.real_path(path) not in loaded:
                other = self._scope.short(path)
                self._found("LINT-07", file, tool, folder, line=mention.line, other=other, axis="imports")

    def _check_code(self, tool: str, folder: str, file: LoadedFile, content: FileContent, outcome: Outcome) -> None:
        """Report the mentions of existing files in code, since code has many mentions of other things."""
        if not content.coded:
            return
        imported = {(each.importer, each.line) for each in outcome.files}
        above = file.path.rpartition("/")[0]
        for mention in content.coded:
            named = mention.path.rstrip(TRAILING)
            path = joined(above, named)
            if (file.path, mention.line) in imported or not is_likely_a_file(named) or not self._scope.is_file(path):
                continue
            other = self._scope.short(path)
            self._found("LINT-05", file, tool, folder, line=mention.line, other=other, axis="import-code")

    def _check_links(
        self, tool: str, folder: str, file: LoadedFile, content: FileContent, loaded: Mapping[str, LoadedFile]
    ) -> None:
        """Report a link to an instruction file of the same folder or above, which the tool reads at no other time."""
        above = file.path.rpartition("/")[0]
        names = {name for each in self._scope.tools for name in last_names(each)}
        for line, target in content.links:
            path = joined(above, target)
            if path.rpartition("/")[2] not in names or not self._scope.is_file(path):
                continue
            if is_inside(above, path.rpartition("/")[0] or "/") and self._scope.real_path(path) not in loaded:
                self._found("LINT-29", file, tool, folder, line=line, other=self._scope.short(path))

    def add_comparisons(self) -> None:
        """Add the findings about files that no single tool shows: what they name, and comments that some remove."""
        scope = self._scope
        check_references(scope, self._readers)
        for path, tools in self._comments.items():
            kept = [tool for tool, value in tools.items() if value == "kept"]
            if kept and len(kept) < len(tools):
                line = scope.content(path).comment_line
                others = sorted(dialect(tool).title for tool in tools if tool not in kept)
                short, named = scope.short(path), ", ".join(others)
                scope.found.add("LINT-28", short, kept, folder=".", line=line, axes=("comments",), others=named)


class Differences:
    """Compares what the tools load of the files that several of them read by name."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._tools = [tool for tool in scope.tools if not is_configured(tool)]

    def add(self, folder: str, loaded: Mapping[str, frozenset[str]]) -> None:
        """Add the findings about the files of one working directory and the folders above it."""
        scope = self._scope
        sets = [loaded[tool] for tool in self._tools]
        if all(paths == sets[0] for paths in sets):
            return
        for path in sorted(set[str]().union(*sets)):
            if not scope.is_inside(path) or not is_inside(folder, self._folder_of(path) or "/"):
                continue
            reading = [tool for tool in self._tools if path in loaded[tool]]
            missing = [
                tool
                for tool in self._tools
                if path not in loaded[tool] and (tool, path) not in scope.explained and self._reads_name(tool, path)
            ]
            if missing:
                others = ", ".join(dialect(tool).title for tool in missing)
                where, axes = scope.short(folder) or ".", ("selection", "walk")
                scope.found.add("LINT-30", scope.short(path), reading, folder=where, at=0, axes=axes, others=others)

    def _folder_of(self, path: str) -> str:
        """The folder of the search in which a file is found: above the folder of a name such as ".tool/NAME.md"."""
        folder, _, name = path.rpartition("/")
        above, _, own = folder.rpartition("/")
        return above if any(f"{own}/{name}" in names_of(tool) for tool in self._tools) else folder

    def _reads_name(self, tool: str, path: str) -> bool:
        return any(path.endswith(f"/{name}") for name in names_of(tool))


def add_start(scope: Scope, tool: str, folder: str, importer: str, line: int, imported: str) -> None:
    """Add the finding about an import from outside the folder where a tool starts."""
    above = scope.short(os.path.commonpath([importer.rpartition("/")[0], imported.rpartition("/")[0]])) or "."
    below, short, other = scope.short(folder) or ".", scope.short(importer), scope.short(imported)
    scope.found.add(
        "LINT-32", short, [tool], folder=below, line=line, other=other, above=f"{above}/", below=f"{below}/"
    )
