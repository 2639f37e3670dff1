"""The reading order: the types of features/order.toml, and the orders of features and areas that follow from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Literal

import msgspec
from msgspec import Struct

from ..contract.specification import features_file
from .cases import area_of
from .features import store
from .ledger import ledger

EXPLAINING = 2  # the first examples of a rule, which explain it: pages and `loopspec explain` fold the others


class Folder(Struct, frozen=True, forbid_unknown_fields=True):
    """A folder of features. `features` are the names of its files in reading order, without `.feature`."""

    path: str
    title: str
    says: str
    features: tuple[str, ...]

    @property
    def files(self) -> tuple[str, ...]:
        """The paths of its features, relative to the folder of all features."""
        return tuple(f"{self.path}/{name}.feature" for name in self.features)


class Order(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file. `areas` has the title of each area."""

    schema: Literal[1]
    folders: tuple[Folder, ...]
    areas: dict[str, str]


@cache
def order() -> Order:
    """The folders in reading order, and the titles of the areas."""
    return msgspec.toml.decode(features_file("order.toml"), type=Order)


@cache
def position_of_feature() -> dict[str, int]:
    """The position of each feature in the reading order, by its path relative to the folder of all features."""
    files = [file for folder in order().folders for file in folder.files]
    return {file: number for number, file in enumerate(files)}


@cache
def areas_in_order() -> tuple[str, ...]:
    """Every area in reading order: at its first feature in the folder with most of its rules.

    Areas without a feature are last.
    """
    return _in_order({rule: area_of(rule) for rule in ledger().rules})


@cache
def documents_in_order() -> tuple[str, ...]:
    """The key of every document, in the reading order of their rules."""
    return _in_order({name: rule.document for name, rule in ledger().rules.items()})


def _in_order(groups: Mapping[str, str]) -> tuple[str, ...]:
    """The groups of the rules, in reading order. `groups` has the group of each rule."""
    files: dict[str, list[str]] = {group: [] for group in groups.values()}
    for rule, of_rule in store().rules.items():
        if rule in groups:  # the canary's is no rule of the ledger
            files[groups[rule]].append(of_rule[0])
    return tuple(sorted(files, key=lambda group: _position(files[group])))


def _position(files: list[str]) -> int:
    """The position of some rules as a whole, by the features that they are in."""
    positions = position_of_feature()
    if not files:
        return len(positions)
    folders = [file.rpartition("/")[0] for file in files]
    home = Counter(sorted(folders)).most_common(1)[0][0]
    at_home = [file for file, folder in zip(files, folders, strict=True) if folder == home]
    return min([positions.get(file, len(positions)) for file in at_home])


def topic(area: str) -> str:
    """The title of an area; its own name where the file has no title."""
    return order().areas.get(area, area)


@cache
def rules_in_order() -> tuple[str, ...]:
    """Every rule in reading order: by area, and in each area as the ledger has them."""
    place = {area: number for number, area in enumerate(areas_in_order())}
    return tuple(sorted(ledger().rules, key=lambda rule: place[area_of(rule)]))
