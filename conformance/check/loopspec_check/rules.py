"""The rules of `loopspec check`, and the providers that refuse a request."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources

import msgspec
from msgspec import Struct

from loopspec.reports.sarif import Described


class Rule(Described, frozen=True, forbid_unknown_fields=True):
    """A rule with the message of a finding.

    `refused` are the providers that refuse a request with such a history, each with the page that says so. `rules` are
    the rules of an agent loop that it repeats.
    """

    message: str
    refused: Mapping[str, str] = {}
    rules: tuple[str, ...] = ()


class Provider(Struct, frozen=True, forbid_unknown_fields=True):
    """A provider of models, with the interface that a request goes to."""

    title: str
    document: str


class MadeUp(Struct, frozen=True, forbid_unknown_fields=True):
    """A regular expression for results that a library makes up for calls that were not run to their end."""

    text: str
    source: str


class _Data(Struct, frozen=True, forbid_unknown_fields=True):
    schema: int
    made_up: tuple[MadeUp, ...]
    providers: Mapping[str, Provider]
    rules: Mapping[str, Rule]


@cache
def _data() -> _Data:
    data = (resources.files("loopspec_check") / "rules.toml").read_bytes()
    return msgspec.toml.decode(data, type=_Data)


def rules() -> Mapping[str, Rule]:
    """Every rule by its id."""
    return _data().rules


def providers() -> Mapping[str, Provider]:
    """Every provider by its name."""
    return _data().providers


def made_up() -> tuple[MadeUp, ...]:
    """What libraries answer for calls that were not run to their end."""
    return _data().made_up


@cache
def _made_up() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{one.text})" for one in made_up()))


def is_made_up(result: str) -> bool:
    """Whether a library has made up the text of a result for a call that was not run to its end."""
    return _made_up().match(result) is not None
