"""The phrasebook, and the page of roles, capabilities and postures: the vocabulary of features and of targets."""

from __future__ import annotations

from collections.abc import Mapping

from loopspec.contract.axes import axes
from loopspec.contract.capabilities import CAPABILITIES
from loopspec.contract.roles import ROLES
from loopspec.specification.features import compiled
from loopspec_steps import BOOK, Phrase
from loopspec_steps.vocabulary import Group, Item, Section, holds_by_hole, phrases_by_topic, sections

from .areas import judged
from .dialects import dialect_address
from .markdown import anchor, code, coded, counted, folded, heading, items, link, of_rules, page, plain, slug
from .words import TEXTS, intro


def pages() -> dict[str, str]:
    """Make both pages."""
    return {"phrases.md": _phrasebook(), "capabilities.md": _capabilities()}


def phrase_anchor(phrase: Phrase) -> str:
    """The anchor of a phrase on its page."""
    return slug(f"{phrase.kind} {phrase.readable}")


def _phrasebook() -> str:
    said: dict[str, dict[str, None]] = {}
    for case in compiled():
        for step in case.steps:
            said.setdefault(BOOK.match(step.kind, step.text).phrase.id, {})[case.rule.ids[0]] = None
    parts = intro("phrases", sentences=len(BOOK.phrases))
    for kind in ("given", "when", "then"):
        parts.append(heading(2, kind.capitalize(), kind))
        for about, phrases in phrases_by_topic(kind).items():
            lines = (_phrase(phrase, [*said.get(phrase.id, ())]) for phrase in phrases)
            parts += [heading(3, plain(about), slug(f"{kind} about {about}")), items(lines)]
    for section in sections():
        parts += [heading(2, plain(section.title), slug(section.title)), coded(section.meaning)]
        for group in section.groups:
            below = ", ".join(link(plain(phrase.readable), f"#{phrase_anchor(phrase)}") for phrase in group.phrases)
            parts += [
                heading(3, plain(group.name), _group_anchor(section, group)),
                coded(group.meaning),
                items(_item(item, section) for item in group.items),
                f"Below: {below}" if below else "",
            ]
    return page(*parts)


def _phrase(phrase: Phrase, rules: list[str]) -> str:
    table = phrase.columns.name if phrase.columns else ""
    of_table = f" Table: {link(table, '#' + slug(f'table {table}'))}." if table else ""
    such = f"{len(rules)} rules, such as " if len(rules) > 3 else ""
    used = f"Used by {such}{of_rules(rules[:3], '')}." if rules else "No rule uses the sentence."
    return (
        f"{anchor(phrase_anchor(phrase))}**{phrase.kind.capitalize()} {plain(phrase.readable)}**<br>"
        f"{coded(phrase.meaning)} {_holes(holds_by_hole(phrase))}{of_table} <small>{used}</small>"
    )


def _holes(holes: Mapping[str, str]) -> str:
    places = _places()
    return " ".join(
        f"{code(f'{{{hole}}}') if hole else 'Values'}: {link(plain(name), f'#{places[name]}')}."
        for hole, name in holes.items()
    )


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


def _item(item: Item, section: Section) -> str:
    at = anchor(slug(f"type {item.text}")) if section.title == "Types" else ""
    notes = ["Required."] if item.required else []
    notes += [_holes(item.holds)] if item.holds else []
    notes += [f"Only in: {', '.join(item.places)}."] if item.places else []
    notes += [f"Example: {code(item.example)}."] if item.example else []
    return f"{at}**{plain(item.text)}** {coded(item.meaning)} {' '.join(notes)}"


def _capabilities() -> str:
    found: dict[str, list[str]] = {}
    for rule, (roles, needs) in judged().items():
        for name in (*roles, *needs):
            found.setdefault(name, []).append(rule)
    texts, parts = TEXTS["capabilities"], intro("capabilities")
    parts += [heading(2, "Roles", "the-roles"), *_entries(ROLES, found, "for the role")]
    parts += [heading(2, "Capabilities", "the-capabilities"), texts["capabilities"]]
    parts += _entries(CAPABILITIES, found, "with examples that need the capability")
    parts += [heading(2, "Postures", "the-postures"), texts["postures"].strip()]
    for name, axis in axes().items():
        values = (
            f"{link(code(value), dialect_address(value)) if axis.kind == 'dialect' else code(value)}: "
            f"{plain(meaning.sentence)} {of_rules([meaning.rule] if meaning.rule else [], '')}"
            for value, meaning in axis.values.items()
        )
        parts += [f"{anchor(name)}**{code(name)}** {plain(axis.question)}", items(values)]
    return page(*parts)


def _entries(named: Mapping[str, object], found: Mapping[str, list[str]], words: str) -> list[str]:
    parts = []
    for name, meaning in named.items():
        parts.append(f"{anchor(name)}**{code(name)}** {coded(str(meaning))}")
        if name in found:
            parts.append(folded(f"{counted(len(found[name]), 'rule')} {words}", of_rules(found[name], "")))
    return parts
