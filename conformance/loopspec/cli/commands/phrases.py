"""`loopspec phrases`: all that a feature can say."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence

from loopspec_steps import Phrase
from loopspec_steps.phrasebook import Kind
from loopspec_steps.vocabulary import Group, Item, Section, holds_by_hole, matching, phrases_by_topic, sections

from ...contract.faults import UsageError
from ...contract.names import did_you_mean
from ..words import print_word, words

_KINDS: tuple[Kind, ...] = ("given", "when", "then")
_INTRODUCTION = (
    "All that a feature can say. `{words}` are holes. A hole in quotes takes any text without quotes. "
    "The middle column says what the other holes hold, and which table or docstring follows the step. "
    "This page is printed by `loopspec phrases --markdown`."
)
# The sections of one group, which needs no heading of its own.
_OF_ONE_GROUP = ("Defaults", "Placeholders", "Actions", "Types")


def phrases(args: argparse.Namespace) -> int:
    """Print the phrasebook, or what contains a word, after its meaning. Raises `UsageError` if there is nothing."""
    is_word = bool(args.word) and not args.markdown and print_word(args.word)
    if is_word and matching(args.word) == ((), ()):
        return 0
    print("\n".join(_markdown(args.word) if args.markdown else _plain(args.word)))
    return 0


def phrasebook() -> str:
    """The phrasebook as a page of Markdown."""
    return "\n".join(_markdown(""))


def _found(word: str) -> tuple[Mapping[Kind, Mapping[str, Sequence[Phrase]]], tuple[Section, ...]]:
    """The phrases by kind and topic, and the sections, as far as they contain a word."""
    chosen, kept = matching(word)
    if not chosen and not kept:
        known = [item.text for section in sections() for group in section.groups for item in group.items]
        known += words()
        raise UsageError(f"nothing in the phrasebook contains {word!r}{did_you_mean(word, known)}")
    return {
        kind: {
            topic: found
            for topic, group in phrases_by_topic(kind).items()
            if (found := [phrase for phrase in group if phrase in chosen])
        }
        for kind in _KINDS
    }, kept


def _plain(word: str) -> Iterator[str]:
    kinds, kept = _found(word)
    for kind, topics in kinds.items():
        for topic, phrases_ in topics.items():
            yield f"{kind.capitalize()}: {topic}"
            for phrase in phrases_:
                holds = [f"{{{hole}}}: {name}" for hole, name in holds_by_hole(phrase).items()]
                table = [f"table: {phrase.columns.name}"] if phrase.columns else []
                one = [f"with one name: {phrase.single.plain}"] if phrase.single else []
                yield from _entry(f"  {kind.capitalize()} {phrase.readable}", phrase.meaning, [*one, *holds, *table])
            yield ""
    for section in kept:
        for group in section.groups:
            yield from (f"{section.title}: {group.name}", f"  {group.meaning}")
            for item in group.items:
                yield from _entry(f"    {item.text}", item.meaning, _limits(item))
            yield ""


def _entry(text: str, meaning: str, notes: Sequence[str]) -> Iterator[str]:
    """A text with what it means, and with notes, below it."""
    margin = " " * (len(text) - len(text.lstrip()) + 4)
    yield from (text, margin + meaning, *([margin + "; ".join(notes)] if notes else []))


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
        for topic, phrases_ in topics.items():
            yield from ("", f"### {kind.capitalize()}: {topic}", "")
            yield from _table(("sentence", "holes", "meaning"), map(_sentence, phrases_))
    for section in kept:
        yield from ("", f"## {section.title}", "", section.meaning)
        for group in section.groups:
            if section.title not in _OF_ONE_GROUP:
                yield from ("", f"### {_title(section, group)}")
            yield from ("", group.meaning)
            if group.phrases:
                used = ", ".join(f"`{phrase.kind.capitalize()} {phrase.plain}`" for phrase in group.phrases)
                yield from ("", f"Below: {used}.")
            yield from ("", *_table(*_items(section, group.items)))


def _sentence(phrase: Phrase) -> Sequence[str]:
    notes = _holes(holds_by_hole(phrase))
    if phrase.columns:
        notes.append(f"table: [{phrase.columns.name}](#{_anchor('Table: ' + phrase.columns.name)})")
    if "docstring" in phrase.takes:
        notes.append("docstring")
    return "<br>".join(f"`{one.plain}`" for one in (phrase, phrase.single) if one), "<br>".join(notes), phrase.meaning


def _items(section: Section, items: Iterable[Item]) -> tuple[Sequence[str], Iterable[Sequence[str]]]:
    """The head and the rows of the table of a group."""
    match section.title:
        case "Tables":
            rows = [(f"`{i.text}`", _link(i.holds[""]), "yes" if i.required else "", i.meaning) for i in items]
            return ("column", "holds", "required", "meaning"), rows
        case "Defaults":
            return ("of", "default"), [(item.text, item.meaning) for item in items]
        case "Closed lists" | "Placeholders":
            return ("text", "meaning"), [(f"`{item.text}`", item.meaning) for item in items]
        case "Types":
            anchored = ((f'<a id="{_anchor("Type: " + item.text)}"></a>{item.text}', item) for item in items)
            return ("type", "example", "meaning"), [(text, f"`{i.example}`", i.meaning) for text, i in anchored]
        case _:
            head = (section.title.lower().removesuffix("s"), "holes", "only in", "meaning")
            return head, [(f"`{i.text}`", "<br>".join(_holes(i.holds)), ", ".join(i.places), i.meaning) for i in items]


def _holes(holds: Mapping[str, str]) -> list[str]:
    return [f"`{{{hole}}}`: {_link(name)}" for hole, name in holds.items()]


def _title(section: Section, group: Group) -> str:
    return {"Tables": "Table: ", "Closed lists": "List: "}.get(section.title, "") + group.name


def _link(name: str) -> str:
    """A type or a list by its name, as a link to its place on the page."""
    for section in sections():
        for group in section.groups:
            if group.name == name and section.title != "Tables":
                title = section.title if section.title in _OF_ONE_GROUP else _title(section, group)
                return f"[{name}](#{_anchor(title)})"
    return f"[{name}](#{_anchor('Type: ' + name)})"


def _anchor(title: str) -> str:
    """The anchor that GitHub gives a heading."""
    return "".join(one for one in title.lower().replace(" ", "-") if one.isalnum() or one in "-_")


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"| {' | '.join('---' for _ in head)} |"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"
