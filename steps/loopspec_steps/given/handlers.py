"""Given: handlers, legacy middlewares and tool middlewares."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from loopspec.contract.agents import HandlerChange, Legacy, Own, Script, Scripted

from ..actions import ACTION_LIST, script_of
from ..builders.agent import EVERY_HOOK
from ..builders.scene import SceneBuilder
from ..declarations import ClosedList, OpenType, Table, Word
from ..hooks import SEVERAL_WHERE
from ..phrasebook import given
from .scripts import SCRIPTS, observing, scripts_of
from .turns_and_tools import TOOLS, tools_of

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
    scene_builder.loop_or_new().script(name, *(Script(hook=hook) for hook in EVERY_HOOK))


@given('a handler "{name}" that overrides no hook')
def handler_overrides_nothing(scene_builder: SceneBuilder, name: str) -> None:
    """The implementation's own base handler, in which every hook does nothing."""
    scene_builder.loop_or_new().script(name)


@given('a handler "{name}" that observes {where}', where=SEVERAL_WHERE)
def handler_observes_where(scene_builder: SceneBuilder, name: str, where: str) -> None:
    """A handler that only observes, in one hook, or in several with `and` between them."""
    scene_builder.loop_or_new().script(name, *observing(where))


@given('a handler "{name}" that, {where:Where}, {actions}', actions=ACTION_LIST)
def handler_does(scene_builder: SceneBuilder, name: str, where: str, actions: str) -> None:
    """A handler and its actions in one hook. A second step about the handler adds to the first."""
    scene_builder.loop_or_new().script(name, script_of(where, actions))


@given('a handler "{name}" with the actions', SCRIPTS)
def handler_does_all(scene_builder: SceneBuilder, name: str, table: Table) -> None:
    """A handler and its actions in several hooks."""
    scene_builder.loop_or_new().script(name, *scripts_of(table))


@given("the handler under test")
def handler_under_test(scene_builder: SceneBuilder) -> None:
    """The handler that is judged in the role handler."""
    scene_builder.loop_or_new().handlers["the handler"] = Own()


@given("the handler under test, which claims to be {claim}", claim=CLAIMS)
def handler_under_test_claiming(scene_builder: SceneBuilder, claim: str) -> None:
    """The handler that is judged in the role handler, with a claim.

    Each hook of an idempotent handler is called a second time.
    """
    known = CLAIMS.read(claim)
    scene_builder.loop_or_new().handlers["the handler"] = Own(claim=known, again=known == "idempotent")


@given("the handler under test, which declares no change of {parts}", parts=SEVERAL_CHANGES)
def handler_under_test_keeping(scene_builder: SceneBuilder, parts: str) -> None:
    """The handler that is judged in the role handler, unless it declares to change one of these parts."""
    scene_builder.loop_or_new().handlers["the handler"] = Own(unchanged=SEVERAL_CHANGES.read(parts))


@given("the handler under test, in one agent per run")
def handler_under_test_shared(scene_builder: SceneBuilder) -> None:
    """The handler that is judged in the role handler. All agents have the same handler object."""
    scene_builder.loop_or_new().handlers["the handler"] = Own(shared=True)


def _legacy(scene_builder: SceneBuilder, name: str, **additions: object) -> None:
    loop = scene_builder.loop_or_new()
    loop.legacy[name] = replace(loop.legacy.get(name, Legacy(name=name)), **additions)


@given('a legacy middleware "{name}" that observes')
def legacy_observes(scene_builder: SceneBuilder, name: str) -> None:
    """A legacy middleware with every function that only observes."""
    hooks = ("before model", "after model", "around tool")
    _legacy(scene_builder, name, scripts=tuple(Script(hook=hook) for hook in hooks))  # type: ignore[arg-type]  # all are hooks


@given('a legacy middleware "{name}" that, {where:Where}, {actions}', actions=ACTION_LIST)
def legacy_does(scene_builder: SceneBuilder, name: str, where: str, actions: str) -> None:
    """A legacy middleware and its actions in one function."""
    known = scene_builder.loop_or_new().legacy.get(name, Legacy(name=name))
    _legacy(scene_builder, name, scripts=(*known.scripts, script_of(where, actions)))


@given('a legacy middleware "{name}" that adds the instruction "{text}"')
def legacy_instruction(scene_builder: SceneBuilder, name: str, text: str) -> None:
    """A legacy middleware that appends a text to the instruction."""
    _legacy(scene_builder, name, instruction=text)


@given('a legacy middleware "{name}" that adds the tools', TOOLS)
def legacy_tools(scene_builder: SceneBuilder, name: str, table: Table) -> None:
    """A legacy middleware that provides additional tools."""
    _legacy(scene_builder, name, tools=tools_of(table))


@given('an empty legacy middleware "{name}"')
def legacy_nothing(scene_builder: SceneBuilder, name: str) -> None:
    """A legacy middleware in which every optional part is missing."""
    _legacy(scene_builder, name)


@given('the legacy middleware "{name}" supports plain messages only')
def legacy_plain_only(scene_builder: SceneBuilder, name: str) -> None:
    """The functions of the legacy middleware do not support agentic messages."""
    _legacy(scene_builder, name, plain_only=True)


@given('a tool middleware "{name}" that {actions}', actions=ACTION_LIST)
def tool_middleware_does(scene_builder: SceneBuilder, name: str, actions: str) -> None:
    """A function that wraps tool calls, configured with the tools, and its actions."""
    script = script_of("around tool", actions)
    scene_builder.loop_or_new().tool_middlewares[name] = Scripted(name=name, scripts=(script,))
