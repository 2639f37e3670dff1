"""What is known of rules, of the providers that refuse a request, and of formats: rules.toml."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources

import msgspec
from msgspec import Struct

from loopspec.reports.sarif import Described


class Rule(Described, frozen=True, forbid_unknown_fields=True):
    """A rule of a finding. The head of rules.toml describes the fields."""

    message: str
    refused: Mapping[str, str] = {}
    rules: tuple[str, ...] = ()


class Provider(Struct, frozen=True, forbid_unknown_fields=True):
    """A provider of models, with the interface that a request goes to."""

    title: str
    document: str


class Stored(Struct, frozen=True, forbid_unknown_fields=True):
    """A format: whose requests have it, and what its tool sends for a call without a result."""

    document: str = ""
    providers: tuple[str, ...] = ()
    repair: str = ""


class Known(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of rules.toml: each rule by its id, each provider and format by its name."""

    schema: int
    made_up: Mapping[str, str]
    providers: Mapping[str, Provider]
    formats: Mapping[str, Stored]
    rules: Mapping[str, Rule]


@cache
def known() -> Known:
    """What is known."""
    return msgspec.toml.decode((resources.files("loopspec_check") / "rules.toml").read_bytes(), type=Known)


@cache
def made_up() -> re.Pattern[str]:
    """What matches a result that a library has made up for a call that was not run to its end."""
    return re.compile("|".join(f"(?:{text})" for text in known().made_up))
