"""Given: handlers, legacy middlewares and tool middlewares."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from loopspec.contract.actions import Script
from loopspec.contract.agents import HandlerChange, Legacy, Own, Scripted

from ..actions import ACTION_LIST, script_of
from ..builders.agent import OBSERVERS, named, with_named
from ..builders.scene import SceneBuilder
from ..declarations import ClosedList, OpenType, Table, Word
from ..hooks import SEVERAL_WHERE
from ..phrasebook import given
from ..settings import Added
from ..templates import hole
from .parts import AGENT, LEGACY
from .tables import SCRIPTS, TOOLS, observing, scripts_of

Claim = Literal["idempotent", "no-op"]

CLAIMS: ClosedList[Claim] = ClosedList(
    "claims of a handler",
    "What the handler under test claims to be.",
    Word("idempotent", "A hook that receives its own result changes nothing more.", "idempotent"),
    Word("a no-op", "The handler changes nothing.", "no-op"),
)

CHANGES: ClosedList[HandlerChange] = ClosedList(
    "changes of a handler",
    "What the handler under test may declare to change.",
    Word("requests", "The conversation, or the messages and tools of a model call.", "requests"),
    Word("answers", "The answers of models, and with them the events and the final answer.", "answers"),
    Word("tool calls", "The arguments of tool calls, or how often a call is made.", "tool-calls"),
    Word("results", "The results of tools.", "results"),
    Word("model errors", "The errors of model calls.", "model-errors"),
    Word("tool errors", "The errors of tools.", "tool-errors"),
)


def _changes_of(text: str) -> tuple[HandlerChange, ...]:
    return tuple(CHANGES.read(one) for one in text.split(" or "))


SEVERAL_CHANGES = OpenType(
    "several changes",
    f"Changes that a handler can declare, with `or` between them: {', '.join(word.text for word in CHANGES.words)}.",
    "requests or answers",
    _changes_of,
)


@given('a handler "{name}" that observes')
def handler_observes(scene_builder: SceneBuilder, name: str) -> None:
    """A handler with every hook that only observes."""
    scene_builder.described.script(name, *OBSERVERS)


@given('a handler "{name}" that overrides no hook')
def handler_overrides_no_hook(scene_builder: SceneBuilder, name: str) -> None:
    """The implementation's own base handler, in which every hook does nothing."""
    scene_builder.described.script(name)


@given('a handler "{name}" that observes {where}', where=SEVERAL_WHERE)
def handler_observes_where(scene_builder: SceneBuilder, name: str, where: str) -> None:
    """A handler that only observes, in one hook, or in several with `and` between them."""
    scene_builder.described.script(name, *observing(where))


@given('a handler "{name}" that, {where:Where}, {actions}', actions=ACTION_LIST)
def handler_acts(scene_builder: SceneBuilder, name: str, where: str, actions: str) -> None:
    """A handler and its actions in one hook. A second step about the handler adds to the first."""
    scene_builder.described.script(name, script_of(where, actions))


@given('a handler "{name}" with the actions', SCRIPTS)
def handler_with_actions(scene_builder: SceneBuilder, name: str, table: Table) -> None:
    """A handler and its actions in several hooks."""
    scene_builder.described.script(name, *scripts_of(table))


AGENT.given("the handler under test", "The handler that is judged in the role handler.", handlers=Added(Own()))
AGENT.given(
    "the handler under test, which declares no change of {parts}",
    "The handler that is judged in the role handler, unless it declares to change one of these parts.",
    holds={"parts": SEVERAL_CHANGES},
    handlers=Added(Own(unchanged=hole("parts"))),
)
AGENT.given(
    "the handler under test, in one agent per run",
    "The handler that is judged in the role handler. All agents have the same handler object.",
    handlers=Added(Own(shared=True)),
)


@given("the handler under test, which claims to be {claim}", claim=CLAIMS)
def handler_under_test_claims(scene_builder: SceneBuilder, claim: str) -> None:
    """The handler that is judged in the role handler, with a claim.

    Each hook of an idempotent handler is called a second time.
    """
    known = CLAIMS.read(claim)
    scene_builder.described.attach(Own(claim=known, again=known == "idempotent"))


LEGACY.given('an empty legacy middleware "{name}"', "A legacy middleware in which every optional part is missing.")
LEGACY.given(
    'a legacy middleware "{name}" that observes',
    "A legacy middleware with every function that only observes.",
    scripts=(Script(hook="before model"), Script(hook="after model"), Script(hook="around tool")),
)
LEGACY.given(
    'a legacy middleware "{name}" that adds the instruction "{text}"',
    "A legacy middleware that appends a text to the instruction.",
    instruction="{text}",
)
LEGACY.given(
    'a legacy middleware "{name}" that adds the tools',
    "A legacy middleware that provides additional tools.",
    TOOLS,
    tools=hole("table"),
)
LEGACY.given(
    'the legacy middleware "{name}" supports plain messages only',
    "The functions of the legacy middleware do not support agentic messages.",
    plain_only=True,
)


@given('a legacy middleware "{name}" that, {where:Where}, {actions}', actions=ACTION_LIST)
def legacy_middleware_acts(scene_builder: SceneBuilder, name: str, where: str, actions: str) -> None:
    """A legacy middleware and its actions in one function."""
    loop = scene_builder.described
    known = named(loop.agent.legacy, name, Legacy(name=name))
    more = replace(known, scripts=(*known.scripts, script_of(where, actions)))
    loop.agent = replace(loop.agent, legacy=with_named(loop.agent.legacy, more))


@given('a tool middleware "{name}" that {actions}', actions=ACTION_LIST)
def tool_middleware_acts(scene_builder: SceneBuilder, name: str, actions: str) -> None:
    """A function that wraps tool calls, configured with the tools, and its actions."""
    loop = scene_builder.described
    middleware = Scripted(name=name, scripts=(script_of("around tool", actions),))
    loop.agent = replace(loop.agent, tool_middlewares=(*loop.agent.tool_middlewares, middleware))
