"""The page of lint rules: each rule with its example."""

from __future__ import annotations

from loopspec.contract.workspaces import Entry
from loopspec_instructions.linting import Rule, rules, sources_of, tools_by_name

from .dialects import dialect_address
from .markdown import code, heading, items, link, linked, page, plain, table
from .words import TEXTS, intro

_LONGEST = 160  # characters of a content that are shown
_PROJECT = "project/"


def pages() -> dict[str, str]:
    """Make the page."""
    parts = [
        *intro("lint"),
        heading(2, "All rules", "all"),
        table(
            ("Rule", "What is wrong", "Severity"),
            ((link(rule.id, f"#{rule.id}"), plain(rule.title), rule.severity) for rule in rules().values()),
        ),
        heading(2, "Each rule", "each"),
    ]
    for rule in rules().values():
        parts += [heading(3, f"{rule.id}: {plain(rule.title)}", rule.id), linked(rule.why, "")]
        parts += [f"**What to do:** {linked(rule.fix, '')}", items(_facts(rule))]
    parts += [
        heading(2, "The tools that a repository means", "tools"),
        TEXTS["lint"]["tools"].strip(),
        table(
            ("File name", "Tools"),
            (
                (code(name), ", ".join(link(tool, dialect_address(tool)) for tool in tools))
                for name, tools in tools_by_name().items()
            ),
        ),
    ]
    return {"lint.md": page(*parts)}


def _facts(rule: Rule) -> list[str]:
    """The level of a rule, its sources, its example with the place of the finding, and what has no finding."""
    example = rule.example
    tools = " ".join(f"--as {tool}" for tool in example.tools)
    twin = [_entry(path, entry) for path, entry in example.twin.items()]
    without = [f"without {', '.join(code(_short(path)) for path in example.without)}"] if example.without else []
    return [
        f"Level: {rule.severity}",
        *(f"Source: {linked(str(source), '')}" for source in sources_of(rule)),
        *(_entry(path, entry) for path, entry in example.entries.items()),
        f"Finding: {code(f'{example.path}:{example.line}')}{f' with {code(tools)}' if tools else ''}",
        f"No finding with {'; '.join([*twin, *without])}",
    ]


def _entry(path: str, entry: Entry) -> str:
    return f"{code(_short(path))}: {code(_content(entry))}"


def _short(path: str) -> str:
    """A path relative to the repository."""
    return path.removeprefix(_PROJECT) if path.startswith(_PROJECT) else f"../{path}"


def _content(entry: Entry) -> str:
    """The content of an entry in one line."""
    if entry.kind == "link":
        return f"→ {entry.target}"
    if entry.kind in ("repository", "folder"):
        return {"repository": "(a Git repository)", "folder": "(a folder)"}[entry.kind]
    once = repr(entry.base64 if entry.base64 is not None else entry.text or "")[:_LONGEST]
    times = f" × {entry.repeat}" if entry.repeat > 1 else ""
    return f"{once}{times}{' (no read permission)' if entry.kind == 'forbidden' else ''}"
