"""The rules of `loopspec lint`, each with an example."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from loopspec.contract.dialects import dialect, dialect_names
from loopspec.contract.workspaces import Entry
from loopspec.engine.output import listed
from loopspec.reports.sarif import Described


class Example(Struct, frozen=True, forbid_unknown_fields=True):
    """A repository with a finding, below the folder `project`, for the tools named; else for those that it means.

    `line` and `path` are those of the finding. `twin` are the entries that differ in a repository without a finding of
    the rule, and `without` are the entries that this repository does not have.
    """

    entries: dict[str, Entry]
    path: str
    twin: dict[str, Entry] = {}
    without: tuple[str, ...] = ()
    line: int = 1
    tools: tuple[str, ...] = ()
    git: bool = True


class Source(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a rule comes from: tools or texts, the address of a text, and the day on which this was verified last."""

    kind: Literal["measured", "tool document", "specification"]
    names: tuple[str, ...]
    link: str = ""
    verified: date | None = None

    def __str__(self) -> str:
        on = f", verified on {self.verified}" if self.verified else ""
        return f"{self.kind}: {listed(self.names)}{f' ({self.link})' if self.link else ''}{on}"


class Rule(Described, frozen=True, forbid_unknown_fields=True):
    """A rule with the message of a finding, and an example."""

    message: str
    example: Example
    axes: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    id: str = ""


class _Rules(Struct, frozen=True, forbid_unknown_fields=True):
    schema: int
    rules: dict[str, Rule]


class Tools(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """What is known of tools and of names apart from the dialects; tools.toml says what each field is."""

    schema: int
    names: dict[str, tuple[str, ...]]
    left_out: dict[str, str]
    private: dict[str, str]
    asks: tuple[str, ...]
    by_target: tuple[str, ...]
    unchecked: dict[str, str]
    verified: dict[str, date]


@cache
def rules() -> Mapping[str, Rule]:
    """Every rule by its id."""
    read = msgspec.toml.decode(Path(__file__).with_name("rules.toml").read_bytes(), type=_Rules).rules
    return {key: msgspec.structs.replace(rule, id=key) for key, rule in read.items()}


@cache
def known_tools() -> Tools:
    """What is known of tools and of names apart from the dialects."""
    return msgspec.toml.decode(Path(__file__).with_name("tools.toml").read_bytes(), type=Tools)


def sources_of(rule: Rule) -> tuple[Source, ...]:
    """The sources of a rule: each tool with its version, or with its document, on the axes of the rule; and its own.

    The day is the oldest one of the tools.
    """
    tools: dict[bool, list[str]] = {}
    for tool in dialect_names():
        known = dialect(tool)
        if any(axis in known.axes and not known.axes[axis].unknown for axis in rule.axes):
            tools.setdefault(known.judged, []).append(tool)
    sources = []
    for judged, names in tools.items():
        titles = tuple(f"{dialect(name).title} {dialect(name).version}".strip() for name in names)
        day = min(known_tools().verified[name] for name in names)
        sources.append(Source("measured" if judged else "tool document", titles, verified=day))
    return (*sources, *rule.sources)
