"""The names page: what each framework calls the concepts of the specification, both ways."""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from loopspec.specification.names import NO_NAME, Concept, Framework, Name, names

from .links import slug


class Called(Struct, frozen=True):
    """A concept in one framework. `key` is the concept's."""

    key: str
    concept: Concept
    framework: str
    name: Name

    @property
    def exists(self) -> bool:
        """Whether the framework has such a thing."""
        return self.name.name != NO_NAME

    @property
    def address(self) -> str:
        """Its address in the site: on the page of the framework."""
        return f"{page_of(self.framework)}#{slug(self.key)}"


def page_of(framework: str) -> str:
    """The page of a framework, by its key."""
    return f"names/{framework}.html"


def concept_address(key: str) -> str:
    """A concept, on the page of all concepts."""
    return f"names.html#{slug(key)}"


@cache
def frameworks() -> dict[str, Framework]:
    """Every framework by its key."""
    return names().frameworks


@cache
def called() -> tuple[Called, ...]:
    """Every concept in every framework, in the order of the file."""
    return tuple(
        Called(key, concept, framework, name)
        for key, concept in names().concepts.items()
        for framework, name in concept.names().items()
    )


@cache
def concepts_of_area() -> dict[str, tuple[str, ...]]:
    """The keys of the concepts of each area."""
    found: dict[str, list[str]] = {}
    for key, concept in names().concepts.items():
        for area in concept.areas:
            found.setdefault(area, []).append(key)
    return {area: tuple(keys) for area, keys in found.items()}
