"""Findings about what a loaded file names for the model to open or to run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import unquote

import msgspec
from msgspec import Struct

from .scope import Scope, joined
from .version_control import read_regular

_MOST = 1 << 20  # bytes of a file that says which commands there are
# A name that continues with a character of a pattern or of a variable is no name.
_RUN = re.compile(r"\b(npm|pnpm) run (\w(?:[\w:.-]*\w)?)(?![\w:*<{$\[/-])")
_MAKE = re.compile(r"(?:^|[\n`;&|$])\s*(make) (\w(?:[\w.-]*\w)?)(?![\w:*<{$\[/=.-])")
_TARGETS = re.compile(r"^([^\s:#=][^:#=]*):(?!=)", re.MULTILINE)
_NO_PATH = re.compile(r"^[#/]|[:<>{}*$\\]|\.\.\.|…")


class _Package(Struct):
    scripts: dict[str, object] = {}


def check_references(scope: Scope, readers: Mapping[str, Iterable[str]]) -> None:
    """Add the findings about the files loaded, each with the tools that load it."""
    whole = scope.folder == scope.repository
    known = {**dict.fromkeys(("npm", "pnpm"), _scripts(scope)), "make": _targets(scope)} if whole else {}
    for path, tools in readers.items():
        content, folder = scope.content(path), path.rpartition("/")[0]
        for line, target in content.links:
            named = unquote(target.partition("?")[0])
            ways = (joined(folder, named), joined(scope.repository, named))
            if not _NO_PATH.search(target) and all(scope.files.kind(way) == "missing" for way in ways):
                scope.found.add("LINT-36", path, tools=tools, line=line, other=named)
        for line, code in content.code:
            for found in (*_RUN.finditer(code), *_MAKE.finditer(code)):
                if (names := known.get(found[1])) is not None and found[2] not in names:
                    command = found[0][found[0].index(found[1]) :]
                    at = line + code.count("\n", 0, found.start(2))
                    scope.found.add("LINT-37", path, tools=tools, line=at, other=command)


def _scripts(scope: Scope) -> set[str] | None:
    """The scripts of all packages; None if there is no package, or one that cannot be read."""
    paths = [path for path in scope.survey.manifests if path.endswith(".json")]
    try:
        packages = [msgspec.json.decode(read_regular(Path(path), _MOST), type=_Package) for path in paths]
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    return {name for package in packages for name in package.scripts} if packages else None


def _targets(scope: Scope) -> set[str] | None:
    """The targets of all makefiles; None if there is no makefile, or one that makes names of others."""
    paths = [path for path in scope.survey.manifests if not path.endswith(".json")]
    texts = [read_regular(Path(path), _MOST).decode(errors="replace") for path in paths]
    named = " ".join(found for text in texts for found in _TARGETS.findall(text))
    unknown = any(re.search(r"^-?include\b", text, re.MULTILINE) for text in texts) or re.search(r"[%$]", named)
    return None if unknown or not named else set(named.split())
