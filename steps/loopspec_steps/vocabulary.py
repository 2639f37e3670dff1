"""All that a feature can say in its sentences: tables, actions, gates, closed lists and types, found by their use.

What no phrase leads to is no part of the vocabulary. Needed to print the phrasebook only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from .actions import ACTION_LIST, ACTIONS, BODY, OBSERVES, SEVERAL_WHERE
from .cells import QUOTED
from .clauses import Clause
from .declarations import ClosedList, Column, Columns, Holds, OpenType
from .gates import GATE, GATES, MOMENT, MOMENTS
from .holes import HOOK, HOOKS, HOOKS_IN_ORDER, WHERE
from .phrasebook import BOOK, Kind, Phrase


@dataclass(frozen=True)
class Item:
    """A column, an action, a gate, a word or a type. `holds` names what its holes hold, or with "" what it holds.

    `places` are the hooks in which an action can stand, where they are limited; `required` is said of columns.
    """

    text: str
    meaning: str
    holds: Mapping[str, str]
    places: tuple[str, ...] = ()
    required: bool = False
    example: str = ""


@dataclass(frozen=True)
class Group:
    """Items that belong together, with the phrases that take them as their table."""

    name: str
    meaning: str
    items: tuple[Item, ...]
    phrases: tuple[Phrase, ...] = ()


@dataclass(frozen=True)
class Section:
    """Groups of one kind."""

    title: str
    meaning: str
    groups: tuple[Group, ...]


# What a scenario has without saying so. `tests/steps/test_vocabulary.py` builds scenarios that give nothing else.
DEFAULTS = (
    Item("the conversation", 'The caller passes one user message, "Hello.", to each run.', {}),
    Item("the model of an agent", 'The model answers "done".', {}),
    Item("the answers of a model", "Each run starts with the first answer; a resumed run continues with the next.", {}),
    Item("a tool", 'The tool is invokable and returns "ok"; each call returns the same.', {}),
    Item("a run", "The run is synchronous, and its events are not read.", {}),
    Item(
        "a hook without a number", "The actions happen in each call of the hook; a check looks at the first call.", {}
    ),
    Item(
        "a column that a table omits", "In a Given, the column has its default; a Then does not compare the column.", {}
    ),
)

# Texts in braces in a step. The prose of a feature that uses one explains it in these words.
PLACEHOLDERS = (
    Item("{name}", "The usual file name of the tool, for example AGENTS.md.", {}),
    Item("{first name}", "The first name in the list of the tool.", {}),
    Item("{second name}", "The second name in the list of the tool.", {}),
    Item("{global}", "The place of the tool's global file, below the home folder.", {}),
    Item("{instructions}", "The message with the instructions.", {}),
    Item("{outside}", "The absolute path of a file that the harness creates outside every root.", {}),
    Item("{up}", "The parent segments that lead from the root of the backend to the root of the disk.", {}),
    Item("{up escaped}", "The segments of {up}, escaped as %2e%2e.", {}),
    Item("{up backslashes}", "The segments of {up}, with backslashes.", {}),
    Item("{up doubled}", 'The segments of {up}, doubled as "....//".', {}),
)

# Which open type leads to which clauses, and to which closed list.
_CLAUSES: tuple[tuple[Holds[object], tuple[Clause[object], ...]], ...] = (
    (ACTION_LIST, (OBSERVES, *ACTIONS)),
    (BODY, ACTIONS),
    (GATE, GATES),
    (MOMENT, MOMENTS),
)
_OF_HOOKS: tuple[Holds[object], ...] = (WHERE, HOOK, SEVERAL_WHERE, HOOKS_IN_ORDER)


def holds_by_hole(phrase: Phrase) -> dict[str, str]:
    """What the holes of a phrase hold, by name; holes in quotes are left out, since they take any text."""
    return _named(phrase.holds)


def phrases_by_topic(kind: Kind) -> dict[str, tuple[Phrase, ...]]:
    """The phrases of a kind, grouped by topic in the order of the book."""
    found: dict[str, list[Phrase]] = {}
    for phrase in BOOK.phrases:
        if phrase.kind == kind:
            found.setdefault(phrase.topic, []).append(phrase)
    return {topic: tuple(phrases) for topic, phrases in found.items()}


@cache
def sections() -> tuple[Section, ...]:
    """The whole vocabulary, in the order in which it is printed."""
    held = tuple(_reachable())
    tables = dict.fromkeys(phrase.columns for phrase in BOOK.phrases if phrase.columns is not None)
    lists = [holds for holds in held if isinstance(holds, ClosedList)]
    of_types = tuple(Item(one.name, one.meaning, {}, example=one.example) for one in held if isinstance(one, OpenType))
    return (
        Section(
            "Defaults",
            "What a scenario has without a step that says so.",
            (Group("defaults", "The defaults of a scenario.", DEFAULTS),),
        ),
        Section(
            "Placeholders", "What texts in braces stand for.", (Group("placeholders", "In a step.", PLACEHOLDERS),)
        ),
        Section("Tables", "The columns of the tables below steps.", tuple(map(_table, tables))),
        Section(
            "Actions", "What a handler, a tool or a middleware can do.", (_clauses(ACTION_LIST, *(OBSERVES, *ACTIONS)),)
        ),
        Section(
            "Gates",
            "When a call continues, a cancellation is requested, or a file changes.",
            (_clauses(GATE, *GATES), _clauses(MOMENT, *MOMENTS)),
        ),
        Section(
            "Closed lists", "The texts of which a hole or a cell holds exactly one.", tuple(_list(one) for one in lists)
        ),
        Section(
            "Types",
            "What the other holes and cells hold.",
            (Group("types", "The types of holes and cells.", of_types),),
        ),
    )


def matching(word: str) -> tuple[tuple[Phrase, ...], tuple[Section, ...]]:
    """The phrases and the sections as far as they contain a text, upper and lower case alike.

    A group whose name contains the text is kept whole. A placeholder is not the hole of the same name.
    """
    wanted = word.casefold()
    searched = () if any(one.text == word for one in PLACEHOLDERS) else BOOK.phrases
    phrases = tuple(phrase for phrase in searched if _has(wanted, phrase.plain, phrase.one, phrase.meaning))
    kept = []
    for section in sections():
        groups = tuple(
            Group(group.name, group.meaning, items, group.phrases)
            for group in section.groups
            if (items := tuple(item for item in group.items if _has(wanted, group.name, item.text, item.meaning)))
        )
        if groups:
            kept.append(Section(section.title, section.meaning, groups))
    return phrases, tuple(kept)


def _has(word: str, *texts: str) -> bool:
    return any(word in text.casefold() for text in texts)


def _reachable() -> Iterator[Holds[object]]:
    """What phrases, columns and clauses hold, each once, in the order of first use."""
    waiting: list[Holds[object] | None] = []
    for phrase in BOOK.phrases:
        waiting += phrase.holds.values()
        waiting += [column.holds for column in phrase.columns or ()]
    known: dict[Holds[object], None] = {}
    while waiting:
        holds = waiting.pop(0)
        if holds is not None and holds not in known:
            known[holds] = None
            waiting += [HOOKS] if holds in _OF_HOOKS else []
            for type_, clauses in _CLAUSES:
                if type_ is holds:
                    waiting += [inner for clause in clauses for inner in clause.holds.values()]
    yield from known


def _named(held: Mapping[str, Holds[object] | None]) -> dict[str, str]:
    return {hole: holds.name for hole, holds in held.items() if holds is not None and holds is not QUOTED}


def _table(columns: Columns[Column[object]]) -> Group:
    items = tuple(Item(one.name, one.meaning, {"": one.holds.name}, required=one.required) for one in columns)
    return Group(columns.name, columns.meaning, items, tuple(one for one in BOOK.phrases if one.columns is columns))


def _clauses(type_: OpenType[object], *clauses: Clause[object]) -> Group:
    items = (Item(one.readable, one.meaning, _named(one.holds), one.places) for one in clauses)
    return Group(type_.name, type_.meaning, tuple(items))


def _list(one: ClosedList[object]) -> Group:
    return Group(one.name, one.meaning, tuple(Item(word.text, word.meaning, {}) for word in one.words))
