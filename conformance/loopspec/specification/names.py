"""What other frameworks call the concepts of this specification: the types of features/names.toml."""

from __future__ import annotations

from functools import cache
from typing import Literal

import msgspec
from msgspec import Struct

from ..contract.specification import features_root

# Written in place of a name where a framework has no such thing.
NO_NAME = "none"


class Name(Struct, frozen=True, forbid_unknown_fields=True):
    """What one framework calls a concept, or `NO_NAME`; `link` then leads to where it would be.

    `path` is "module:qualified.name" of something in Python. Its last part may be a field or a parameter.
    """

    name: str
    link: str
    path: str = msgspec.field(default="", name="import")
    note: str = ""


class Framework(Struct, frozen=True, forbid_unknown_fields=True):
    """A framework, at the version in which its names were looked up.

    `package` is its Python distribution, `also` has the versions of others that hold some of its names.
    """

    name: str
    version: str
    package: str = ""
    also: dict[str, str] = {}


class Concept(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """A concept, the areas of the rules about it, and its names. Every framework is there."""

    name: str
    says: str
    areas: tuple[str, ...]
    eino: Name
    langchain: Name
    xpert: Name
    pydantic_ai: Name
    openai_agents: Name
    google_adk: Name
    agent_framework: Name
    strands: Name

    def names(self) -> dict[str, Name]:
        """The names by the keys of their frameworks, those that are `NO_NAME` included."""
        fields = zip(self.__struct_encode_fields__, self.__struct_fields__, strict=True)
        found = {key: getattr(self, field) for key, field in fields}
        return {key: value for key, value in found.items() if isinstance(value, Name)}


class Names(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file. `unnamed` has the areas without a concept, each with the reason."""

    schema: Literal[1]
    frameworks: dict[str, Framework]
    concepts: dict[str, Concept] = {}
    unnamed: dict[str, str] = {}


@cache
def names() -> Names:
    """All concepts and their names."""
    return msgspec.toml.decode(_text(), type=Names)


def names_of_area(area: str) -> Names:
    """The concepts of one area.

    Of the file, only the tables with the area's name are parsed: parsing all takes longer than a whole command.
    """
    head, *tables = _text().split("\n\n[")
    wanted = [table for table in tables if table.startswith("frameworks.") or f'"{area}"' in table]
    part = msgspec.toml.decode("\n\n[".join([head, *wanted]), type=Names)
    found = {key: concept for key, concept in part.concepts.items() if area in concept.areas}
    return Names(part.schema, part.frameworks, found)


def _text() -> str:
    return (features_root() / "names.toml").read_text(encoding="utf-8")
