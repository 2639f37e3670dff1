"""The phrasebook: one phrase for each sentence, one sentence for each phrase, and nothing that fails in silence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

import pytest

from loopspec.contract.agents import Config
from loopspec.contract.observation import Observation, Warned
from loopspec.contract.values import Message
from loopspec.specification.features import compiled
from loopspec_steps import BOOK, PhraseBook, PhraseError, ScenarioBuilder
from loopspec_steps.phrasebook import Kind

KINDS: tuple[Kind, ...] = get_args(Kind)
STEPS = sorted({(step.kind, step.text) for case in compiled() for step in case.steps})


def plain(scene_builder: object) -> None:
    """A phrase that says nothing."""


def test_every_step_of_every_feature_fits_exactly_one_phrase() -> None:
    """The text of its holes does not matter."""
    phrases = {kind: [phrase for phrase in BOOK.phrases if phrase.kind == kind] for kind in KINDS}
    fitting = {
        (kind, text): [phrase.sentence for phrase in phrases[kind] if phrase.holes(text) is not None]
        for kind, text in STEPS
    }

    assert {step: sentences for step, sentences in fitting.items() if len(sentences) != 1} == {}


def test_every_phrase_is_used_by_some_feature() -> None:
    """A phrase that no feature uses is no part of the language."""
    used = {BOOK.match(kind, text).phrase for kind, text in STEPS}

    assert [phrase.sentence for phrase in BOOK.phrases if phrase not in used] == []


def test_every_phrase_says_what_it_means() -> None:
    """In a docstring, which the page of phrases is made of."""
    assert [phrase.sentence for phrase in BOOK.phrases if not phrase.meaning] == []


def test_every_phrase_takes_what_its_kind_may_look_at() -> None:
    """A Given or When changes the Scene under way; a Then looks at what was seen."""
    wrong = [
        phrase.sentence
        for phrase in BOOK.phrases
        if ("scene_builder" in phrase.takes, "seen" in phrase.takes) != (phrase.kind != "then", phrase.kind == "then")
    ]

    assert wrong == []


async def _coroutine(scene_builder: object) -> None:
    """It would never be awaited."""


def _generator(scene_builder: object) -> Any:
    yield


def _keyword_only(scene_builder: object, *, path: str) -> None:
    """It would never be given the path."""


def _anything(scene_builder: object, **holes: str) -> None:
    """Likewise."""


def _any_number(*scene_builder: object) -> None:
    """Likewise."""


@pytest.mark.parametrize(
    ("function", "sentence"),
    [
        (_coroutine, "the phrase 'a {path}' is a coroutine or generator, which nothing would run"),
        (_generator, "the phrase 'a {path}' is a coroutine or generator, which nothing would run"),
        (_keyword_only, "the phrase 'a {path}' has parameters that cannot be filled by name"),
        (_anything, "the phrase 'a {path}' has parameters that cannot be filled by name"),
        (_any_number, "the phrase 'a {path}' has parameters that cannot be filled by name"),
    ],
)
def test_what_could_never_work_is_no_phrase(function: Callable[..., None], sentence: str) -> None:
    """Found out when it is defined."""
    book = PhraseBook()

    with pytest.raises(PhraseError) as error:
        book.add("given", "a {path}", function)

    assert (str(error.value), book.phrases) == (sentence, ())


def test_a_phrase_is_defined_once() -> None:
    """In each kind."""
    book = PhraseBook()
    book.add("given", "it is so", plain)
    book.add("then", "it is so", plain)

    with pytest.raises(PhraseError, match="the phrase 'it is so' is defined twice"):
        book.add("given", "it is so", plain)


def test_a_sentence_that_two_phrases_fit_is_refused() -> None:
    """Even when it was known before the second one came."""
    book = PhraseBook()
    book.add("given", "a {thing}", plain)
    assert book.match("given", "a file").holes == {"thing": "file"}
    book.add("given", "a file", plain)

    with pytest.raises(PhraseError, match=r"more than one phrase says: Given a file: 'a {thing}' and 'a file'"):
        book.match("given", "a file")
    assert book.match("given", "a folder").phrase.sentence == "a {thing}"


def test_an_unknown_sentence_is_refused() -> None:
    """Kinds are kept apart, and a capital letter is another letter."""
    book = PhraseBook()
    book.add("given", "a file", plain)

    unknown: list[tuple[Kind, str]] = [("then", "a file"), ("given", "A file"), ("given", "a file or two")]
    for kind, text in unknown:
        with pytest.raises(PhraseError, match=f"no phrase says: {kind.capitalize()} {text}"):
            book.match(kind, text)


@pytest.mark.parametrize(
    ("sentence", "text", "holes"),
    [
        ('"{path}" is read', '"/p/a b.md" is read', {"path": "/p/a b.md"}),
        ('"{path}" is read', '"" is read', {"path": ""}),
        ('"{path}" is read', '"a" and "b" is read', None),
        ("read {count:Times}", "read once", {"count": 1}),
        ("read {count:Times}", "read 1 time", {"count": 1}),
        ("read {count:Times}", "read 12 times", {"count": 12}),
        ("read {count:Times}", "read twice", None),
        ("read {count:d} times", "read 12 times", {"count": 12}),
    ],
)
def test_holes_are_filled_by_what_fits(sentence: str, text: str, holes: dict[str, object] | None) -> None:
    """In quotes anything but quotes, and a number of times in words or figures."""
    book = PhraseBook()
    book.add("given", sentence, plain)

    assert book.phrases[0].holes(text) == holes


def test_a_list_with_one_name_is_read_and_written_by_its_own_sentence() -> None:
    """The plural is read as well: the row of an outline can have a single name."""
    book = PhraseBook()
    book.add("given", 'in "{where}", the files {paths} exist', plain, one='in "{where}", the file "{paths}" exists')
    texts = ['"a.md"', '"a.md", "b.md"', "nothing"]

    (phrase,) = book.phrases
    steps = [phrase.step({"where": "/p", "paths": text}).text for text in texts]

    assert [steps[0], steps[2]] == ['in "/p", the file "a.md" exists', 'in "/p", the files nothing exist']
    assert [book.match("given", step).holes for step in steps] == [{"where": "/p", "paths": text} for text in texts]
    assert book.match("given", 'in "/p", the files "a.md" exist').holes == {"where": "/p", "paths": texts[0]}
    with pytest.raises(PhraseError, match="the phrase 'the files exist' has no list for the name in 'the file exists'"):
        book.add("given", "the files exist", plain, one="the file exists")


def built(*steps: tuple[Kind, str]) -> ScenarioBuilder:
    """A scenario under way."""
    builder = ScenarioBuilder()
    for kind, text in steps:
        builder.take(kind, text)
    return builder


LOADED: tuple[Kind, str] = ("when", "the instructions are loaded")


@pytest.mark.parametrize(
    ("kind", "text", "table", "docstring", "sentence"),
    [
        ("given", 'the file "/p/a.md"', None, None, "'the file \"/p/a.md\"' wants a docstring"),
        ("given", 'the instruction file "/p/a.md"', [["a"]], "A.", "takes no table"),
        ("given", "no backend", None, "A.", "'no backend' takes no docstring"),
        ("given", "a conversation of plain messages", None, None, "wants a table"),
        ("given", "a conversation of plain messages", [["role", "content"]], "A.", "takes no docstring"),
        ("when", "the agent runs", [["a"]], None, "'the agent runs' takes no table"),
    ],
)
def test_what_stands_below_a_step_must_be_wanted(
    kind: Kind, text: str, table: list[list[str]] | None, docstring: str | None, sentence: str
) -> None:
    """And what is wanted must stand there."""
    with pytest.raises(PhraseError) as error:
        ScenarioBuilder().take(kind, text, table, docstring)

    assert str(error.value).endswith(sentence)


@pytest.mark.parametrize(
    "step", [("when", "the agent runs"), LOADED, ("given", "a byte limit of 7"), ("given", "no backend")]
)
def test_a_scenario_has_one_act(step: tuple[Kind, str]) -> None:
    """Neither a second When nor a Given comes after the When."""
    builder = built(("given", "a byte limit of 3"), LOADED)

    with pytest.raises(PhraseError, match=f"'{step[1]}' comes after the When: a second act is a second scenario"):
        builder.take(*step)
    assert builder.scene.instructions == Config(max_bytes=3)


def test_nothing_is_looked_at_before_the_act() -> None:
    """There is no Scene yet."""
    builder = built(("given", "a byte limit of 3"))

    with pytest.raises(PhraseError, match="the scenario has no When before this step"):
        builder.take("then", "no warning is given")
    with pytest.raises(PhraseError, match="the scenario has no When before this step"):
        _ = builder.scene


def test_a_then_is_a_check_that_can_look_as_often_as_one_likes() -> None:
    """At whatever was seen."""
    check = built(LOADED).take("then", "no warning is given")

    assert check is not None
    assert check.phrase.sentence == "no warning is given"
    check(Observation())
    with pytest.raises(AssertionError, match="the files warned about"):
        check(Observation(warnings=(Warned(n=0, path="/p/a.md"),)))
    check(Observation())


def test_a_table_is_rows_by_the_words_of_its_head() -> None:
    """As many cells in each row as in the head."""
    table = [["role", "content"], ["user", "Hello."], ["assistant", "Hello!"]]
    builder = ScenarioBuilder()
    builder.take("given", "a conversation of plain messages", table)
    builder.take("when", "the agent runs")

    messages = (Message(role="user", content="Hello."), Message(role="assistant", content="Hello!"))
    assert builder.scene.messages == messages
    with pytest.raises(ValueError, match="argument 2 is shorter"):
        ScenarioBuilder().take("given", "a conversation of plain messages", [["role", "content"], ["user"]])
