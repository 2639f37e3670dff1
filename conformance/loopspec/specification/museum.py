"""Real bugs of real projects: the types of features/museum.toml."""

from __future__ import annotations

from functools import cache
from typing import Literal

import msgspec
from msgspec import Struct

from ..contract.specification import features_file


class RealBug(Struct, frozen=True, forbid_unknown_fields=True):
    """A bug that a project had.

    `link` leads to a public thread or change that describes the bug, opened on the day `opened`. `happened` says what
    went wrong. `mutant` is the wrong implementation that re-enacts the bug, and `caught_by` are rules that it fails.
    """

    project: str
    link: str
    title: str
    happened: str
    opened: str
    mutant: str
    caught_by: tuple[str, ...]


class Museum(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    schema: Literal[1]
    bug: tuple[RealBug, ...]


@cache
def museum() -> tuple[RealBug, ...]:
    """Every bug, by project; none for features without a museum."""
    text = features_file("museum.toml")
    return msgspec.toml.decode(text, type=Museum).bug if text else ()
