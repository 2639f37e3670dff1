"""The phrasebook, and the page of roles, capabilities and postures: the vocabulary of features and of targets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from loopspec.contract.axes import axes
from loopspec.contract.capabilities import CAPABILITIES
from loopspec.contract.roles import ROLES
from loopspec.specification.features import compiled
from loopspec_steps import BOOK
from loopspec_steps.phrasebook import Kind
from loopspec_steps.vocabulary import Group, Section, holds_by_hole, phrases_by_topic, sections

from .areas import judged
from .dialects import dialect_address
from .markdown import Page, rendered, slug


def pages() -> Iterator[Page]:
    """Make both pages."""
    used: dict[str, dict[str, None]] = {}
    for case in compiled():
        for step in case.steps:
            used.setdefault(BOOK.match(step.kind, step.text).phrase.id, {})[case.rule.ids[0]] = None
    yield rendered(
        "phrases",
        sentences=len(BOOK.phrases),
        phrases={kind: phrases_by_topic(kind) for kind in get_args(Kind)},
        used={phrase: [*rules] for phrase, rules in used.items()},
        holds=holds_by_hole,
        places=_places(),
        sections=sections(),
        place_of_group=_group_anchor,
    )
    needing: dict[str, list[str]] = {}
    for rule, (roles, needs) in judged().items():
        for name in (*roles, *needs):
            needing.setdefault(name, []).append(rule)
    named = {"roles": ROLES, "capabilities": CAPABILITIES, "axes": axes()}
    yield rendered("capabilities", **named, needing=needing, dialect_address=dialect_address)


def _places() -> dict[str, str]:
    """The anchors of closed lists, types and clauses, by their names; the first section with a name has it."""
    found: dict[str, str] = {}
    for section in reversed(sections()):
        for group in section.groups:
            if section.title == "Types":
                found |= {item.text: slug(f"type {item.text}") for item in group.items}
            elif section.title != "Tables":
                found[group.name] = _group_anchor(section, group)
    return found


def _group_anchor(section: Section, group: Group) -> str:
    return slug(f"{'table' if section.title == 'Tables' else section.title} {group.name}")
