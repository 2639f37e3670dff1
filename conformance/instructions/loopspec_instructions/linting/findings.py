"""Findings: what is wrong, where, and for which tools."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from loopspec.contract.dialects import dialect
from loopspec.engine.output import counted, listed

from .rules import Rule, rules

_ONCE = ("LINT-05", "LINT-07", "LINT-29", "LINT-36", "LINT-37")  # one finding for each file named, however often
_COUNTED = ("LINT-10", "LINT-32")  # one finding for all files with one cause
LEVELS = ("error", "warning", "note")


class Finding(Struct, frozen=True, kw_only=True, order=True):
    """A finding of a rule. `path` is relative to the folder that is linted, and `line` is counted from 1.

    `tools` are the tools that the finding is about, `folder` a working directory in which they read the file so, and
    `differences` say where the behavior of a tool differs from the document of the tool. `fix` are a text in the line
    and the text that takes its place, where this is safe.
    """

    path: str
    line: int
    rule: str
    message: str
    severity: str
    tools: tuple[str, ...]
    folder: str = "."
    differences: tuple[str, ...] = ()
    fix: tuple[str, str] | None = None


class Suppressed(Struct, frozen=True):
    """A finding that `loopspec.toml` ignores, with the reason."""

    finding: Finding
    reason: str


class Report(Struct, frozen=True):
    """The outcome of one run: the tools, the findings by path and line, and those that are ignored.

    `unused` are the entries of `ignore` that no finding has matched, as sentences. `unchecked` are the files that tools
    read and no rule is about, by kind, and `left_out` the folders and files that are not linted, with the reason.
    """

    folder: str
    tools: tuple[str, ...]
    files: int
    findings: tuple[Finding, ...]
    suppressed: tuple[Suppressed, ...] = ()
    unused: tuple[str, ...] = ()
    unchecked: Mapping[str, tuple[str, ...]] = {}
    left_out: Mapping[str, str] = {}

    def path_of(self, finding: Finding) -> str:
        """The path relative to the current folder, as services expect; relative to the linted folder if outside."""
        path = os.path.relpath(Path(self.folder, finding.path))
        return finding.path if path.startswith("..") else path


class _Fact(Struct):
    """One finding while tools are added to it, each with its axes."""

    rule: Rule
    path: str
    line: int
    folder: str
    values: Mapping[str, object]
    at: int | None
    tools: dict[str, Sequence[str]]
    fix: tuple[str, str] | None = None
    more: str = ""


class Collector:
    """Collects findings: the same one of several tools and working directories is one finding.

    `short` makes the form of a path in a finding.
    """

    def __init__(self, short: Callable[[str], str]) -> None:
        self._facts: dict[tuple[str, str, int | None, str], _Fact] = {}
        self._short = short

    def add(
        self,
        rule: str,
        path: str,
        *,
        tools: Iterable[str],
        folder: str = "",
        line: int | None = 1,
        target: str = "",
        other: str = "",
        at: int | None = None,
        axes: Sequence[str] = (),
        fix: tuple[str, str] | None = None,
        **values: object,
    ) -> None:
        """Add a finding for tools, but not for a tool whose behavior on one of the axes is not known.

        `target` is the path of another file, `other` something else that the message names. With `at`, a place in
        bytes, one finding per file is kept: the one with the first place.
        """
        known = [tool for tool in tools if not _is_unknown(tool, axes)]
        if not known:
            return
        path, line, other = self._short(path), line or 1, self._short(target) if target else other
        key = (rule, path, line if at is None else None, other)
        fact = self._facts.get(key)
        if fact is None or (at is not None and fact.at is not None and at < fact.at):
            where, values = self._short(folder) if folder else ".", {"other": other, "at": at, **values}
            of = fact.tools if fact else {}
            fact = self._facts[key] = _Fact(rules()[rule], path, line, where, values, at, of, fix)
        for tool in known:
            fact.tools.setdefault(tool, axes)

    def has(self, rule: str, path: str) -> bool:
        """Whether the rule has a finding about the file."""
        return any(key[:2] == (rule, self._short(path)) for key in self._facts)

    def findings(self) -> tuple[Finding, ...]:
        """All findings, by path and line; those with one cause are one."""
        facts = sorted(self._facts.values(), key=lambda fact: (fact.path, fact.line))
        groups: dict[object, list[_Fact]] = {}
        for fact in facts:
            groups.setdefault(_cause(fact), []).append(fact)
        return tuple(sorted(_finding(_merged(group)) for group in groups.values()))


def _cause(fact: _Fact) -> object:
    """What facts with one cause share: the upper folder of two files, the importing file, the last file that fits, …"""
    rule, other = fact.rule.id, str(fact.values["other"])
    if rule == "LINT-11":
        return rule, min(fact.path, other, key=lambda path: path.count("/")).rpartition("/")[0]
    if rule in _COUNTED:
        return rule, fact.path if rule == "LINT-32" else (fact.values["spends"], *sorted(fact.tools))
    return (rule, fact.path, other) if rule in _ONCE else id(fact)


def _merged(facts: Sequence[_Fact]) -> _Fact:
    """The first of the facts with one cause, which says how many there are."""
    first, *others = facts
    if first.rule.id in _COUNTED:
        number = len({(one.path, one.values["other"]) for one in facts}) - 1
        first.more = f" and {counted(number, 'other file')}" if number else ""
    elif others and first.rule.id == "LINT-11":
        pair = next((one for one in others if one.path == first.values["other"]), None)
        if pair is not None:
            first.more = f", and hides it for {_titles(pair)}"
        own = {first.path, first.values["other"]}
        number = len({path for one in others for path in (one.path, one.values["other"])} - own)
        first.more += f"; the same holds for {counted(number, 'other file')}" if number else ""
    return first


def _titles(fact: _Fact) -> str:
    return listed([dialect(tool).title for tool in sorted(fact.tools)])


def _finding(fact: _Fact) -> Finding:
    tools, rule = tuple(sorted(fact.tools)), fact.rule
    verb = {"s": "s", "es": "es"} if len(tools) == 1 else {"s": "", "es": ""}
    template = rule.message + ("" if "{tools}" in rule.message else " (as read by {tools})")
    differences = {each for tool, axes in fact.tools.items() for each in _differences(tool, axes)}
    return Finding(
        path=fact.path,
        line=fact.line,
        rule=rule.id,
        message=template.format(tools=_titles(fact), more=fact.more, **verb, **fact.values),
        severity=rule.severity,
        tools=tools,
        folder=fact.folder,
        differences=tuple(sorted(differences)),
        fix=fact.fix,
    )


def _is_unknown(tool: str, axes: Sequence[str]) -> bool:
    known = dialect(tool).axes
    return any(axis in known and known[axis].unknown for axis in axes)


def _differences(tool: str, axes: Sequence[str]) -> list[str]:
    known = dialect(tool)
    loaded = {"inline", "after"}  # where the content of an import stands changes no finding
    return [
        f"{known.title} {known.version} differs from its document: {axis} is {choice.observed}, "
        f"and the document says {choice.documented} ({choice.link})"
        for axis in axes
        if axis in known.axes
        and (choice := known.axes[axis]).observed
        and not loaded.issuperset((choice.observed, choice.documented))
    ]
