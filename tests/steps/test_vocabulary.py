"""The vocabulary of the features: what they use is declared, what is declared is used, and each part has a meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from loopspec.contract.specification import features_root
from loopspec.specification.features import feature_texts
from loopspec_steps import BOOK
from loopspec_steps.actions import ACTION_LIST, ACTIONS, BODY, OBSERVES, SEVERAL_WHERE
from loopspec_steps.clauses import Clause, clause_of
from loopspec_steps.declarations import ClosedList, Holds, OpenType
from loopspec_steps.gates import GATE, GATES, MOMENT, MOMENTS
from loopspec_steps.holes import HOOK, HOOKS, HOOKS_IN_ORDER, PARSED_HOLES, WHERE, holds_of, where_of
from loopspec_steps.vocabulary import DEFAULTS, PLACEHOLDERS, Group, sections

from .examples import EXAMPLES
from .saying import built
from .scenarios import Step, steps

FORBIDDEN = ("It ", "Its ", "They ", "Their ", "That ", "This ", "So ", "Then ", "The same", "None ", "Likewise")


def _steps_of_examples() -> Iterator[Step]:
    """The Thens with a table that have examples: only they use some columns and words."""
    for example in EXAMPLES:
        if example.below is not None and not isinstance(example.below, str):
            yield Step("then", example.text, tuple(map(tuple, example.below)))


def held(of: Sequence[Step]) -> Iterator[tuple[Holds[object], str]]:
    """The text of each hole and cell of these steps, with its type."""
    for step in of:
        phrase, holes = step.phrase, step.holes
        for hole, holds in phrase.holds.items():
            assert holds is not None, (phrase.sentence, hole)
            yield holds, str(holes[hole])
        for row in step.rows:
            assert phrase.columns is not None
            yield from ((phrase.columns[name].holds, cell) for name, cell in zip(step.head, row, strict=True) if cell)


def used_clauses(of: Sequence[Step]) -> Iterator[Clause[object]]:
    """The actions, gates and moments of these steps."""
    for holds, text in set(held(of)):
        if holds is ACTION_LIST or holds is BODY:
            if OBSERVES.holes(text) is not None:
                yield OBSERVES
                continue
            for part in text.split("; "):
                action, holes = clause_of(part, ACTIONS, "action")
                yield action
                if action.holds.get("gate") is GATE:
                    yield clause_of(str(holes["gate"]), GATES, "gate")[0]
        elif holds is GATE:
            yield clause_of(text, GATES, "gate")[0]
        elif holds is MOMENT:
            yield clause_of(text, MOMENTS, "moment")[0]


def used_words(of: Sequence[Step]) -> set[tuple[str, str]]:
    """The words of closed lists in these steps, each with the name of its list."""
    found = {(holds.name, text) for holds, text in held(of) if isinstance(holds, ClosedList)}
    for holds, text in held(of):
        if holds in (WHERE, HOOK):
            found.add((HOOKS.name, where_of(text).hook))
        elif holds in (SEVERAL_WHERE, HOOKS_IN_ORDER):
            found |= {(HOOKS.name, where_of(part).hook) for part in re.split(" and |, ", text)}
    return found


def groups(title: str) -> tuple[Group, ...]:
    """The groups of a section."""
    return next(section.groups for section in sections() if section.title == title)


def test_every_hole_says_what_it_holds() -> None:
    """By its type, by its name, or in its phrase; so do the holes of actions, gates and moments."""
    clauses: tuple[Clause[object], ...] = (*ACTIONS, *GATES, *MOMENTS)

    assert [(p.sentence, hole) for p in BOOK.phrases for hole, holds in p.holds.items() if holds is None] == []
    assert [
        (clause.sentence, hole)
        for clause in clauses
        for hole, holds in {**holds_of(clause.sentence), **clause.holds}.items()
        if holds is None
    ] == []
    assert set(re.findall(r"\{\w+:(\w+)\}", " ".join(p.sentence for p in BOOK.phrases))) == {*PARSED_HOLES, "d"} - {
        "Quoted"
    }


def test_every_column_of_every_table_is_declared() -> None:
    """Each declared column is used in a table of a feature, or in a table of an example of its phrase."""
    declared = {(group.name, item.text) for group in groups("Tables") for item in group.items}
    in_features = {(step.phrase.columns.name, name) for step in steps() if step.phrase.columns for name in step.head}
    in_examples = {(s.phrase.columns.name, name) for s in _steps_of_examples() if s.phrase.columns for name in s.head}

    assert in_features - declared == set()
    assert declared - in_features - in_examples == set()


def test_every_action_gate_and_moment_is_used_by_some_feature() -> None:
    """One that no feature uses is no part of the language."""
    used = set(used_clauses(steps()))

    assert [clause.sentence for clause in (OBSERVES, *ACTIONS, *GATES, *MOMENTS) if clause not in used] == []


def test_every_word_of_a_closed_list_is_used() -> None:
    """In a feature, or in a table of an example of its phrase."""
    declared = {(group.name, item.text) for group in groups("Closed lists") for item in group.items}

    assert declared - used_words(steps()) - used_words(tuple(_steps_of_examples())) == set()


def _written_as(sentence: str, name: str) -> re.Pattern[str]:
    """What finds a sentence in a step, with a single name in the hole of this name, in quotes or not."""
    parts = re.split(r"\{(\w+)(?::\w+)?\}", sentence)  # texts, and between them the names of holes
    single = r'"?[^\s",<>]+"?' if f'"{{{name}}}"' not in sentence else '[^"]+'
    return re.compile(
        "".join((single if one == name else ".+") if at % 2 else re.escape(one) for at, one in enumerate(parts))
    )


def test_a_list_with_one_name_has_a_sentence_of_its_own() -> None:
    """No step has a plural with a single name, except in outlines whose rows have several names there."""
    lists = [phrase for phrase in BOOK.phrases if phrase.one]
    texts = [text.decode() for text in feature_texts(features_root()).values()]
    written = [step for text in texts for step in re.findall(r"^ +(?:Given|When|Then|And) (.*)", text, re.MULTILINE)]
    plural = [_written_as(phrase.sentence, phrase.listed) for phrase in lists]
    single = {phrase.one: _written_as(phrase.one, phrase.listed) for phrase in lists}

    assert lists
    assert [step for step in written if any(one.fullmatch(step) for one in plural) and "nothing" not in step] == []
    assert [one for one, found in single.items() if not any(map(found.fullmatch, written))] == []


def test_every_type_is_used_by_some_feature() -> None:
    """What no hole and no cell of a feature holds is no type."""
    used = {holds.name for holds, _ in held(steps())}
    used |= {holds.name for clause in set(used_clauses(steps())) for holds in clause.holds.values()}

    assert {item.text for group in groups("Types") for item in group.items} | {
        group.name for title in ("Actions", "Gates") for group in groups(title)
    } <= used | {"quoted text"}


def test_an_example_of_a_type_is_one() -> None:
    """It can be read, and fits the pattern of a hole."""
    types = {holds for holds, _ in held(steps()) if isinstance(holds, OpenType)}

    assert len(types) > 20
    for type_ in types:
        type_.read(type_.example)
        assert type_.pattern is None or re.fullmatch(type_.pattern, type_.example), type_.name


def test_a_name_of_a_list_a_type_or_a_table_says_one_thing() -> None:
    """So that the phrasebook can refer to it."""
    tables = [group.name for group in groups("Tables")]
    others = [group.name for group in (*groups("Closed lists"), *groups("Gates"), *groups("Actions"))]
    others += [item.text for group in groups("Types") for item in group.items if item.text not in others]

    assert (len(set(tables)), len(set(others))) == (len(tables), len(others))


def _meanings() -> Iterator[tuple[str, str]]:
    yield from ((phrase.sentence, phrase.meaning) for phrase in BOOK.phrases)
    for section in sections():
        yield section.title, section.meaning
        for group in section.groups:
            yield group.name, group.meaning
            yield from ((f"{group.name}: {item.text}", item.meaning) for item in group.items)


def test_everything_has_a_meaning() -> None:
    """A sentence of three words at least, which can be read alone."""
    wrong = [
        (what, meaning)
        for what, meaning in _meanings()
        if len(meaning.split()) < 3 or not meaning.endswith(".") or meaning.startswith(FORBIDDEN)
    ]

    assert wrong == []


def test_the_defaults_are_what_a_scenario_has_that_says_nothing() -> None:
    """Conversation, model, tool and mode, compared with the sentences of the printed defaults."""
    said = {item.text: item.meaning for item in DEFAULTS}
    scene = built("an agent", ("the tools", [["name"], ["t1"]]))
    (run,), (tool,), model = scene.runs, scene.agent.tools, scene.agent.model

    assert [(message.role, message.content) for message in run.messages] == [("user", "Hello.")]
    assert [turn.text for turn in model.turns] == ["done"] if model else False
    assert (tool.kinds, tool.text, tool.texts) == (("invokable",), "ok", ())
    assert (run.streaming, scene.listens) == (False, False)
    assert '"Hello."' in said["the conversation"]
    assert '"done"' in said["the model of an agent"]
    assert '"ok"' in said["a tool"]
    assert "synchronous" in said["a run"]


def test_the_prose_of_a_feature_explains_its_placeholders() -> None:
    """In the words of the phrasebook, so that `loopspec explain` explains them too; each one is in some feature."""
    texts = {file: text.decode().partition("  Rule:") for file, text in feature_texts(features_root()).items()}
    stated = {one.text: f"{one.text} stands for {one.meaning[0].lower()}{one.meaning[1:]}" for one in PLACEHOLDERS}
    used = [(file, one) for file, (_, _, rules) in texts.items() for one in stated if one in rules]
    assert [(file, one) for file, one in used if stated[one] not in " ".join(texts[file][0].split())] == []
    assert {one for _, one in used} == {*stated}
