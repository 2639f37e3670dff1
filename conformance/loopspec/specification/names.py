"""The names of this specification's concepts in other frameworks: the types of features/names.toml."""

from __future__ import annotations

from functools import cache
from typing import Literal

import msgspec
from msgspec import Struct

from ..contract.specification import features_file

# written instead of a name if a framework lacks the concept
NO_NAME = "none"


class Name(Struct, frozen=True, forbid_unknown_fields=True):
    """The name of a concept in one framework, or `NO_NAME` with the link to where it would be documented.

    `path` is "module:qualified.name" of a Python object. Its last part may be a field or a parameter.
    """

    name: str
    link: str
    path: str = msgspec.field(default="", name="import")
    note: str = ""


class Framework(Struct, frozen=True, forbid_unknown_fields=True):
    """A framework in the version of its names.

    `package` is its Python distribution, `also` has the versions of other distributions with some of its names.
    """

    name: str
    version: str
    package: str = ""
    also: dict[str, str] = {}


class Concept(Struct, frozen=True, forbid_unknown_fields=True):
    """A concept, the areas of its rules, and its names by framework, `NO_NAME` included."""

    name: str
    says: str
    areas: tuple[str, ...]
    names: dict[str, Name]


class Names(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file. `unnamed` has the areas without a concept, each with the reason."""

    schema: Literal[1]
    frameworks: dict[str, Framework]
    concepts: dict[str, Concept] = {}
    unnamed: dict[str, str] = {}


@cache
def names() -> Names:
    """All concepts and their names."""
    return msgspec.toml.decode(features_file("names.toml"), type=Names)


def names_of_area(area: str) -> Names:
    """The concepts of one area.

    Only the tables with the area's name are parsed: parsing the whole file takes longer than a whole command.
    """
    head, *tables = features_file("names.toml").decode().split("\n\n[")
    wanted = [table for table in tables if table.startswith("frameworks.") or f'"{area}"' in table]
    part = msgspec.toml.decode("\n\n[".join([head, *wanted]), type=Names)
    found = {key: concept for key, concept in part.concepts.items() if area in concept.areas}
    return Names(part.schema, part.frameworks, found)
