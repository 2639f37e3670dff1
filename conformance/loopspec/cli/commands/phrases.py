"""`loopspec phrases`: all that a feature can say."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ...contract.faults import UsageError
from ...contract.names import did_you_mean

if TYPE_CHECKING:
    from loopspec_steps import Phrase
    from loopspec_steps.phrasebook import Kind
    from loopspec_steps.vocabulary import Group, Item, Section

_KINDS: tuple[Kind, ...] = ("given", "when", "then")
_INTRODUCTION = (
    "All that a feature can say. `{words}` are holes. A hole in quotes takes any text without quotes. "
    "The middle column says what the other holes hold, and which table or docstring follows the step. "
    "This page is printed by `loopspec phrases --markdown`."
)


def phrases(args: argparse.Namespace) -> int:
    """Print the phrasebook, or what contains a word. Raises `UsageError` if nothing does."""
    print("\n".join(_markdown(args.word) if args.markdown else _plain(args.word)))
    return 0


def phrasebook() -> str:
    """The phrasebook as a page of Markdown."""
    return "\n".join(_markdown(""))


def _found(word: str) -> tuple[Mapping[Kind, Mapping[str, tuple[Phrase, ...]]], tuple[Section, ...]]:
    """The phrases by kind and topic, and the sections, as far as they contain a word."""
    from loopspec_steps.vocabulary import matching, phrases_by_topic, sections  # with all phrases

    chosen, kept = matching(word)
    if not chosen and not kept:
        known = [item.text for section in sections() for group in section.groups for item in group.items]
        raise UsageError(f"nothing in the phrasebook contains {word!r}{did_you_mean(word, known)}")
    kinds: dict[Kind, dict[str, tuple[Phrase, ...]]] = {}
    for kind in _KINDS:
        topics = {
            topic: tuple(one for one in group if one in chosen) for topic, group in phrases_by_topic(kind).items()
        }
        kinds[kind] = {topic: group for topic, group in topics.items() if group}
    return kinds, kept


def _plain(word: str) -> Iterator[str]:
    kinds, kept = _found(word)
    for kind, topics in kinds.items():
        for topic, group in topics.items():
            yield f"{kind.capitalize()}: {topic}"
            for phrase in group:
                yield f"  {kind.capitalize()} {phrase.readable}"
                yield f"      {phrase.meaning}"
                if notes := _notes(phrase):
                    yield f"      {'; '.join(notes)}"
            yield ""
    for section in kept:
        for group_ in section.groups:
            yield f"{section.title}: {group_.name}"
            yield f"  {group_.meaning}"
            for item in group_.items:
                yield f"    {item.text}"
                yield f"        {item.meaning}"
                if said := _limits(item):
                    yield f"        {'; '.join(said)}"
            yield ""


def _notes(phrase: Phrase) -> list[str]:
    from loopspec_steps.vocabulary import holds_by_hole  # likewise

    notes = [f"{{{hole}}}: {name}" for hole, name in holds_by_hole(phrase).items()]
    return [*notes, f"table: {phrase.columns.name}"] if phrase.columns else notes


def _limits(item: Item) -> list[str]:
    """What an item holds and where it can stand, in words."""
    held = [f"{{{hole}}}: {name}" if hole else name for hole, name in item.holds.items()]
    places = [f"only in: {', '.join(item.places)}"] if item.places else []
    example = [f"such as: {item.example}"] if item.example else []
    return [*(["required"] if item.required else []), *held, *places, *example]


def _markdown(word: str) -> Iterator[str]:
    kinds, kept = _found(word)
    yield from ("# Phrasebook", "", _INTRODUCTION)
    for kind, topics in kinds.items():
        if topics:
            yield from ("", f"## {kind.capitalize()}")
        for topic, group in topics.items():
            yield from ("", f"### {kind.capitalize()}: {topic}", "")
            yield from _rows(("sentence", "holes", "meaning"), (_sentence(phrase) for phrase in group))
    for section in kept:
        yield from ("", f"## {section.title}", "", section.meaning)
        for group_ in section.groups:
            if _has_heading(section):
                yield from ("", f"### {_title(section, group_)}")
            yield from ("", group_.meaning, *_used_by(group_), "")
            head, rows = _items(section, group_.items)
            yield from _rows(head, rows)


def _has_heading(section: Section) -> bool:
    """Whether the groups of a section have headings of their own: a section of one group needs none."""
    return section.title not in ("Defaults", "Actions", "Types")


def _sentence(phrase: Phrase) -> Sequence[str]:
    from loopspec_steps.vocabulary import holds_by_hole  # likewise

    notes = [f"`{{{hole}}}`: {_link(name)}" for hole, name in holds_by_hole(phrase).items()]
    if phrase.columns:
        notes.append(f"table: [{phrase.columns.name}](#{_anchor('Table: ' + phrase.columns.name)})")
    if "docstring" in phrase.takes:
        notes.append("docstring")
    return f"`{phrase.plain}`", "<br>".join(notes), phrase.meaning


def _items(section: Section, items: Iterable[Item]) -> tuple[Sequence[str], Iterable[Sequence[str]]]:
    """The head and the rows of the table of a group."""
    match section.title:
        case "Tables":
            rows = [(_code(i.text), _link(i.holds[""]), "yes" if i.required else "", i.meaning) for i in items]
            return ("column", "holds", "required", "meaning"), rows
        case "Defaults":
            return ("of", "default"), [(item.text, item.meaning) for item in items]
        case "Closed lists":
            return ("text", "meaning"), [(_code(item.text), item.meaning) for item in items]
        case "Types":
            return ("type", "example", "meaning"), [
                (f'<a id="{_anchor("Type: " + item.text)}"></a>{item.text}', _code(item.example), item.meaning)
                for item in items
            ]
        case _:
            return (section.title.lower().removesuffix("s"), "holes", "only in", "meaning"), [
                (_code(i.text), "<br>".join(_holes(i)), ", ".join(i.places), i.meaning) for i in items
            ]


def _holes(item: Item) -> list[str]:
    return [f"`{{{hole}}}`: {_link(name)}" for hole, name in item.holds.items()]


def _used_by(group: Group) -> Iterator[str]:
    if group.phrases:
        used = ", ".join(f"`{phrase.kind.capitalize()} {phrase.plain}`" for phrase in group.phrases)
        yield from ("", f"Below: {used}.")


def _title(section: Section, group: Group) -> str:
    return {"Tables": "Table: ", "Closed lists": "List: "}.get(section.title, "") + group.name


def _link(name: str) -> str:
    """A type or a list by its name, as a link to its place on the page."""
    from loopspec_steps.vocabulary import sections  # likewise

    for section in sections():
        if name in [group.name for group in section.groups] and section.title != "Tables":
            group = next(group for group in section.groups if group.name == name)
            return f"[{name}](#{_anchor(_title(section, group) if _has_heading(section) else section.title)})"
    return f"[{name}](#{_anchor('Type: ' + name)})"


def _anchor(title: str) -> str:
    """The anchor that GitHub gives a heading."""
    return "".join(one for one in title.lower().replace(" ", "-") if one.isalnum() or one in "-_")


def _code(text: str) -> str:
    return f"`{text}`"


def _rows(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"| {' | '.join('---' for _ in head)} |"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"
