"""The rules of `loopspec lint`, each with an example."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Literal

import msgspec
from msgspec import Struct

from loopspec.contract.workspaces import Entry

Severity = Literal["error", "warning", "note"]


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


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """A rule: what is wrong, why this matters, what to do, and the message of a finding."""

    title: str
    why: str
    fix: str
    message: str
    severity: Severity
    example: Example
    id: str = ""


class _Rules(Struct, frozen=True, forbid_unknown_fields=True):
    schema: int
    rules: dict[str, Rule]


class _Tools(Struct, frozen=True, forbid_unknown_fields=True):
    schema: int
    names: dict[str, tuple[str, ...]]


@cache
def rules() -> Mapping[str, Rule]:
    """Every rule by its id."""
    read = msgspec.toml.decode(_data("rules.toml"), type=_Rules).rules
    return {key: msgspec.structs.replace(rule, id=key) for key, rule in read.items()}


@cache
def tools_by_name() -> Mapping[str, tuple[str, ...]]:
    """The tools that a repository means with a file, by the name of the file."""
    return msgspec.toml.decode(_data("tools.toml"), type=_Tools).names


def _data(name: str) -> bytes:
    return (resources.files("loopspec_instructions.linting") / name).read_bytes()
