"""The names pages: what each framework calls the concepts of the specification, both ways."""

from __future__ import annotations

from collections.abc import Iterable

from loopspec.specification.names import NO_NAME, Concept, Framework, Name, names
from loopspec.specification.order import areas_in_order

from .markdown import anchor, code, counted, heading, items, link, page, plain, slug
from .words import intro


def concept_address(key: str) -> str:
    """A concept, on the page of all concepts."""
    return f"names.html#{slug(key)}"


def pages() -> dict[str, str]:
    """Make the page of all concepts, and a page for each framework."""
    frameworks, concepts = names().frameworks, names().concepts
    parts = [
        *intro("names", frameworks=len(frameworks), concepts=len(concepts)),
        heading(2, "I know a framework: where is …?", "frameworks"),
        items(
            f"{link(plain(f'I know {one.name}'), f'names/{key}.html')} {plain(one.version)}: "
            + counted(sum(found[key].name != NO_NAME for found in map(Concept.names, concepts.values())), "name")
            for key, one in frameworks.items()
        ),
    ]
    for key, concept in concepts.items():
        lines = (
            f"{link(plain(frameworks[framework].name), f'names/{framework}.html#{slug(key)}')}: {_name(name)}"
            for framework, name in concept.names().items()
        )
        parts += [
            heading(2, plain(concept.name), slug(key)),
            f"{plain(concept.says)} Rules: {_areas(concept.areas, '')}.",
            items(lines),
        ]
    return {"names.md": page(*parts), **{f"names/{key}.md": _of(key, one) for key, one in frameworks.items()}}


def _name(name: Name) -> str:
    shown = code(name.name) if name.name != NO_NAME else "none"
    return f"{link(shown, name.link)}{f' {plain(name.note)}' if name.note else ''}"


def _areas(areas: Iterable[str], top: str) -> str:
    known = areas_in_order()
    return ", ".join(link(area, f"{top}rules/{area}.html") if area in known else area for area in areas)


def _of(key: str, framework: Framework) -> str:
    also = ", ".join(f"{name} {version}" for name, version in framework.also.items())
    title = f"{framework.name} {framework.version}{f' (with {also})' if also else ''}"
    mine = [(at, concept, concept.names()[key]) for at, concept in names().concepts.items() if key in concept.names()]
    there = sorted((one for one in mine if one[2].name != NO_NAME), key=lambda one: one[2].name)
    missing = [one for one in mine if one[2].name == NO_NAME]
    parts = [
        f"# I know {plain(framework.name)}: where is …?",
        f"The names of {plain(title)}, in alphabetical order, with the rules of each concept.",
        "Each name links to its source or documentation.",
    ]
    parts.append(
        items(
            f"{anchor(slug(at))}{link(code(name.name), name.link)}: {_concept(at, concept)}. {plain(concept.says)}"
            f"{f' *Here: {plain(name.note)}.*' if name.note else ''} Rules: {_areas(concept.areas, '../')}"
            for at, concept, name in there
        )
    )
    if missing:
        parts += [
            heading(2, f"Concepts without a name in {plain(framework.name)}", "none"),
            items(
                f"{anchor(slug(at))}{_concept(at, concept)}: {plain(concept.says)} "
                f"{link('Searched here', name.link)}{f' *{plain(name.note)}.*' if name.note else ''}"
                for at, concept, name in missing
            ),
        ]
    return page(*parts)


def _concept(key: str, concept: Concept) -> str:
    return link(plain(concept.name), f"../{concept_address(key)}")
