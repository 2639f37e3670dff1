"""Findings: what is wrong, where, and for which tools."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from loopspec.contract.dialects import dialect

from .rules import Rule, rules


class Finding(Struct, frozen=True, kw_only=True, order=True):
    """A finding of a rule. `path` is relative to the folder that is linted, and `line` is counted from 1.

    `tools` are the tools that the finding is about, `folder` a working directory in which they read the file so, and
    `differences` say where the behavior of a tool differs from the document of the tool.
    """

    path: str
    line: int
    rule: str
    message: str
    severity: str
    tools: tuple[str, ...]
    folder: str = "."
    differences: tuple[str, ...] = ()


class Suppressed(Struct, frozen=True):
    """A finding that `loopspec.toml` ignores, with the reason."""

    finding: Finding
    reason: str


class Report(Struct, frozen=True):
    """The outcome of one run: the tools, the findings by path and line, and those that are ignored.

    `unused` are the entries of `ignore` that no finding has matched, as sentences.
    """

    folder: str
    tools: tuple[str, ...]
    files: int
    findings: tuple[Finding, ...]
    suppressed: tuple[Suppressed, ...] = ()
    unused: tuple[str, ...] = ()

    def path_of(self, finding: Finding) -> str:
        """The path relative to the current folder, as services expect; relative to the linted folder if outside."""
        path = os.path.relpath(Path(self.folder, finding.path))
        return finding.path if path.startswith("..") else path


class _Fact(Struct):
    """One finding while tools are added to it."""

    rule: Rule
    path: str
    line: int
    folder: str
    values: Mapping[str, object]
    at: int | None
    tools: dict[str, None]
    differences: dict[str, None]


class Collector:
    """Collects findings: the same one of several tools and working directories is one finding."""

    def __init__(self) -> None:
        self._facts: dict[tuple[str, str, int | None, str], _Fact] = {}

    def add(
        self,
        rule: str,
        path: str,
        tools: Iterable[str],
        *,
        folder: str,
        line: int = 1,
        other: str = "",
        at: int | None = None,
        axes: Sequence[str] = (),
        **values: object,
    ) -> None:
        """Add a finding for tools, but not for a tool whose behavior on one of the axes is not known.

        With `at`, a place in bytes, one finding per file is kept: the one with the first place.
        """
        known = [tool for tool in tools if not _is_unknown(tool, axes)]
        if not known:
            return
        key = (rule, path, line if at is None else None, other)
        fact = self._facts.get(key)
        if fact is None or (at is not None and fact.at is not None and at < fact.at):
            kept = fact.tools if fact else {}
            values = {"other": other, "at": at, **values}
            differences = fact.differences if fact else {}
            fact = _Fact(rules()[rule], path, line, folder, values, at, kept, differences)
            self._facts[key] = fact
        for tool in known:
            if tool not in fact.tools:
                fact.tools[tool] = None
                fact.differences.update(dict.fromkeys(_differences(tool, axes)))

    def has(self, rule: str, path: str) -> bool:
        """Whether the rule has a finding about the file."""
        return any(key[0] == rule and key[1] == path for key in self._facts)

    def findings(self) -> tuple[Finding, ...]:
        """All findings, by path and line."""
        return tuple(sorted(_finding(fact) for fact in self._facts.values()))


def _finding(fact: _Fact) -> Finding:
    tools = tuple(sorted(fact.tools))
    verb = {"s": "s", "es": "es"} if len(tools) == 1 else {"s": "", "es": ""}
    template = fact.rule.message
    if "{tools}" not in template:
        template += " (as read by {tools})"
    message = template.format(tools=_listed([dialect(tool).title for tool in tools]), **verb, **fact.values)
    return Finding(
        path=fact.path,
        line=fact.line,
        rule=fact.rule.id,
        message=message,
        severity=fact.rule.severity,
        tools=tools,
        folder=fact.folder,
        differences=tuple(sorted(fact.differences)),
    )


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _is_unknown(tool: str, axes: Sequence[str]) -> bool:
    known = dialect(tool).axes
    return any(axis in known and known[axis].unknown for axis in axes)


def _differences(tool: str, axes: Sequence[str]) -> list[str]:
    known = dialect(tool)
    return [
        f"{known.title} {known.version} differs from its document: {axis} is {choice.observed}, "
        f"and the document says {choice.documented} ({choice.link})"
        for axis in axes
        if axis in known.axes and (choice := known.axes[axis]).observed
    ]
