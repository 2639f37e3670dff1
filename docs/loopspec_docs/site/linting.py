"""The page of lint rules: each rule with its example."""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from loopspec.contract.workspaces import Entry
from loopspec_instructions.linting import Rule, rules, sources_of

_LONGEST = 160  # characters of a content that are shown
_PROJECT = "project/"


class LintRule(Struct, frozen=True):
    """A rule, with the entries of its example and of the twin in words, and the place of the finding."""

    id: str
    title: str
    severity: str
    why: str
    fix: str
    example: tuple[tuple[str, str], ...]
    twin: tuple[tuple[str, str], ...]
    without: tuple[str, ...]
    place: str
    tools: str
    sources: tuple[str, ...]


def lint_address(rule: str) -> str:
    """A rule, on the page of all lint rules."""
    return f"lint.html#{rule}"


@cache
def lint_rules() -> tuple[LintRule, ...]:
    """Every rule in the order of the ids."""
    return tuple(_shown(rule) for rule in rules().values())


def _shown(rule: Rule) -> LintRule:
    example = rule.example
    return LintRule(
        id=rule.id,
        title=rule.title,
        severity=rule.severity,
        why=rule.why,
        fix=rule.fix,
        example=_entries(example.entries),
        twin=_entries(example.twin),
        without=tuple(_short(path) for path in example.without),
        place=f"{example.path}:{example.line}",
        sources=tuple(map(str, sources_of(rule))),
        tools=" ".join(f"--as {tool}" for tool in example.tools),
    )


def _entries(entries: dict[str, Entry]) -> tuple[tuple[str, str], ...]:
    return tuple((_short(path), _content(entry)) for path, entry in entries.items())


def _short(path: str) -> str:
    """A path relative to the repository."""
    return path.removeprefix(_PROJECT) if path.startswith(_PROJECT) else f"../{path}"


def _content(entry: Entry) -> str:
    """The content of an entry in one line."""
    if entry.kind == "link":
        return f"→ {entry.target}"
    if entry.kind == "repository":
        return "(a Git repository)"
    if entry.kind == "folder":
        return "(a folder)"
    once = repr(entry.base64 if entry.base64 is not None else entry.text or "")[:_LONGEST]
    times = f" × {entry.repeat}" if entry.repeat > 1 else ""
    return f"{once}{times}{' (no read permission)' if entry.kind == 'forbidden' else ''}"
