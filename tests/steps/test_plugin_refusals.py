"""What is none of the plugin layer's words, and what does not go together."""

from __future__ import annotations

import pytest

from loopspec.contract.actions import Script
from loopspec.contract.observation import Creation, Executed, HookCall, Observation, Registered
from loopspec.contract.plugins import StrategyMeta
from loopspec.contract.values import Error
from loopspec_steps import PhraseError, ScenarioBuilder
from loopspec_steps.builders.scene import EVERY_HOOK
from loopspec_steps.phrasebook import Kind

from .saying import built, check_of

Rows = list[list[str]]
OBSERVERS = tuple(Script(hook=hook) for hook in EVERY_HOOK)
ONE = 'a plugin module "m" with the providers p1'


@pytest.mark.parametrize(
    ("kind", "text", "table", "sentence"),
    [
        ("given", 'a middleware "A" that observes sometimes', None, "'sometimes' is no hook: the hooks are before"),
        ("given", 'a middleware "A" that, before model, dances', None, "'dances' is no action: the nearest action"),
        (
            "given",
            'a middleware "A" with the actions',
            [["hook", "action"], ["at night", "observes"]],
            "'at night' is no hook",
        ),
        (
            "given",
            'a middleware "A" that, around tool, returns nothing',
            None,
            "'A' returns nothing around a call, which no adapter can pass on",
        ),
        (
            "given",
            'a middleware "A" that, before model, sets the state "k" to x',
            None,
            "'x' is no JSON: Expecting value: line 1",
        ),
        (
            "given",
            'the state of "A" has the fields',
            [["field", "kind"], ["a", "text"]],
            """'the state of "{name}" has the fields' has no column 'kind': it has field, type, default, required""",
        ),
        (
            "given",
            'the context of "A" has the fields',
            [["field", "type"], ["a", "date"]],
            "'date' is none of 'text', 'number', 'list', 'any'",
        ),
        (
            "given",
            'the state of "A" has the fields',
            [["field", "default"], ["a", "x"]],
            "'x' is no JSON",
        ),
        ("given", 'the state of "A" is declared as a list', None, "'a list' is none of 'an object', "),
        ("given", '"A" provides the tools', [["name", "sets"], ["t", "[1]"]], "'[1]' is no JSON object"),
        (
            "given",
            'the hooks of "A" are quick',
            None,
            "'quick' is none of 'synchronous functions', 'objects",
        ),
        ("given", "the runtime context user", None, "'user' is no JSON"),
        ("given", "run 2 has the runtime context null", None, "'null' is no JSON object"),
        ("given", "a summarization triggered by 4", None, "'4' is no JSON object"),
        (
            "given",
            'a second summarization "again" with the same configuration',
            None,
            "there is no first summarization",
        ),
        ("given", 'a to-do list with the color "red"', None, "'color' is none of 'prompt', 'description'"),
        (
            "given",
            'a plugin module "m" with the strategies',
            [["provider", "color"], ["p1", "red"]],
            """'a plugin module "{module}" with the strategies' has no column 'color': it has provider, name, """,
        ),
        (
            "given",
            'a plugin module "m" with the strategies',
            [["provider", "schema"], ["p1", "{"]],
            "'{' is no JSON",
        ),
        ("given", 'the metadata of "p1" has no name', None, "no plugin module has a strategy for the provider 'p1'"),
        ("given", 'the class of "p1" is not marked', None, "no plugin module has a strategy for the provider 'p1'"),
        (
            "given",
            "a workflow with the nodes",
            [["key", "kind"], ["a", "table"]],
            "'table' is none of 'agent', 'middleware', 'other'",
        ),
        ("given", "a workflow with the nodes", [["key", "options"], ["a", "1"]], "'1' is no JSON object"),
        ("given", "the connections a to b, c", None, "'c' is no connection: say where it goes to"),
    ],
)
def test_an_unknown_word_about_plugins_is_refused_when_it_is_compiled(
    kind: Kind, text: str, table: Rows | None, sentence: str
) -> None:
    """In a sentence that shows what it is."""
    with pytest.raises(PhraseError) as error:
        ScenarioBuilder().take(kind, text, table)

    assert str(error.value).startswith(sentence)


@pytest.mark.parametrize(
    ("steps", "sentence"),
    [
        ([ONE, 'the metadata of "p1" has no icon'], "'icon' is none of 'name', 'label'"),
        ([ONE, 'the class of "p1" has no name'], "'name' is none of 'metadata', 'factory'"),
        ([ONE, 'the metadata of "p2" has no name'], "no plugin module has a strategy for the provider 'p2'"),
        ([ONE, 'the factory of "p2" takes time'], "no plugin module has a strategy for the provider 'p2'"),
        (
            ['a handler "H" that observes', 'a middleware "H" that observes'],
            "'H' is no middleware of the plugin layer whose hooks are scripted",
        ),
        (
            [ONE, 'a handler "H" that observes', 'the strategy "p1" creates the middleware "H"'],
            "'H' is no middleware of the plugin layer whose hooks are scripted",
        ),
    ],
)
def test_what_does_not_go_together_is_refused(steps: list[str], sentence: str) -> None:
    """With what was given before."""
    with pytest.raises(PhraseError) as error:
        built(*steps)

    assert str(error.value).startswith(sentence)


META = StrategyMeta(name="s", label={"en_US": "S"})
SEEN = Observation(
    hooks=(HookCall(n=1, handler="A", hook="before model", run="1"),),
    lookups=(Registered(provider="p1", meta=META), Registered(provider="p2", error=Error(kind="other"))),
    creations=(Creation(n=2, provider="p1", node="m1", agent="agent"),),
    executions=(Executed(n=3, node="m1", run="1"),),
)


@pytest.mark.parametrize(
    ("text", "table", "sentence"),
    [
        (
            "the factories are called with",
            [["nodes"], ["m1"]],
            "'the factories are called with' has no column 'nodes' (did you mean",
        ),
        ("the factories are called with", [["options"], ["1"]], "'1' is no JSON object"),
        ("building the agent fails because it rains", None, "'it rains' is none of 'the iteration limit is reached', "),
        ("the execution trace is", [["key"], ["m1"]], "'the execution trace is' has no column 'key': it has node, "),
        ('looking up "p1" returns the metadata', "label", "'label' is no JSON"),
        ('looking up "p2" returns the metadata', "label", "'label' is no JSON"),
        ('before model, "A" sees the state n', None, "'n' is no JSON"),
        ('before model, "A" sees the runtime context 1', None, "'1' is no JSON object"),
        ('around tool "t", "A" sees the state {}', None, "'around tool \"t\"' names a tool: a Then is about all"),
        ('around tool "t" of run 1, "A" sees the state {}', None, "'around tool \"t\" of run 1' names a tool"),
        (
            'around tool "t" of run 1, "A" sees no "k" in the runtime context',
            None,
            "'around tool \"t\" of run 1' names a tool",
        ),
        ('before lunch, "A" sees the state {}', None, "no phrase says"),
        (
            'the hooks of "A" are, in this order, before model, before lunch',
            None,
            "'before lunch' is no hook",
        ),
        (
            'the hooks of "A" are, in this order, before model call 2',
            None,
            "'before model call 2' is more than a hook",
        ),
        ("before model call 2, the middlewares are called in the order A", None, "'before model call 2' is more than"),
    ],
)
def test_an_unknown_word_about_plugins_is_refused_when_a_then_checks_it(
    text: str, table: Rows | str | None, sentence: str
) -> None:
    """The feature is wrong, whatever was seen: that is no mismatch."""
    with pytest.raises(PhraseError) as error:
        check_of(text, table)(SEEN)

    assert str(error.value).startswith(sentence)
