"""The page of lint rules: each rule with its example."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from markupsafe import Markup

from loopspec.contract.workspaces import Entry
from loopspec_instructions.linting import Example, known_tools, rules, sources_of

from .dialects import dialect_address
from .markdown import Page, code, joined, rendered

_LONGEST = 160  # characters of a content that are shown


def pages() -> Iterator[Page]:
    """Make the page."""
    found = [
        (rule, sources_of(rule), _entries(rule.example.entries), *_findings(rule.example)) for rule in rules().values()
    ]
    yield rendered("lint", found=found, tools_by_name=known_tools().names, address=dialect_address)


def _entries(entries: Mapping[str, Entry]) -> list[Markup]:
    return [code(_short(path)) + ": " + code(_content(entry)) for path, entry in entries.items()]


def _findings(example: Example) -> tuple[Markup, Markup]:
    """The place of the finding, and what has none."""
    finding = code(f"{example.path}:{example.line}")
    if example.tools:
        finding += " with " + code(" ".join(f"--as {tool}" for tool in example.tools))
    without = "without " + joined((code(_short(path)) for path in example.without), ", ")
    return finding, joined([*_entries(example.twin), *([without] if example.without else [])], "; ")


def _short(path: str) -> str:
    """A path relative to the repository."""
    return path.removeprefix("project/") if path.startswith("project/") else f"../{path}"


def _content(entry: Entry) -> str:
    """The content of an entry in one line."""
    if entry.kind == "link":
        return f"→ {entry.target}"
    if entry.kind in ("repository", "folder"):
        return {"repository": "(a Git repository)", "folder": "(a folder)"}[entry.kind]
    once = repr(entry.base64 if entry.base64 is not None else entry.text or "")[:_LONGEST]
    times = f" × {entry.repeat}" if entry.repeat > 1 else ""
    return f"{once}{times}{' (no read permission)' if entry.kind == 'forbidden' else ''}"
