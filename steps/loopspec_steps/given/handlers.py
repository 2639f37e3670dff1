"""Given: who stands around the calls of an agent, and what they do there."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from loopspec.contract.agents import Legacy, Own, Script, Scripted

from ..actions import script_of
from ..builders.agent import EVERY_HOOK
from ..builders.scene import Draft
from ..cells import one_of
from ..phrasebook import Table, given
from .loop import tools_of

Claim = Literal["idempotent", "no-op"]


@given('a handler "{name}" that looks on')
def handler_looks_on(draft: Draft, name: str) -> None:
    """A handler that is called in every hook and changes nothing."""
    draft.loop_or_new().script(name, *(Script(hook=hook) for hook in EVERY_HOOK))


@given('a handler "{name}" that overrides no hook')
def handler_overrides_nothing(draft: Draft, name: str) -> None:
    """A handler that is nothing but the implementation's own handler in which no hook does anything."""
    draft.loop_or_new().script(name)


@given('a handler "{name}" that looks on {where}')
def handler_looks_on_where(draft: Draft, name: str, where: str) -> None:
    """A handler that is called in one hook and changes nothing; several hooks with `and` between them."""
    draft.loop_or_new().script(name, *(script_of(one, "looks on") for one in where.split(" and ")))


@given('a handler "{name}" that, {where:Where}, {deeds}')
def handler_does(draft: Draft, name: str, where: str, deeds: str) -> None:
    """A handler and what it does in one hook: see the list of deeds. Said again of the same one, it does both."""
    draft.loop_or_new().script(name, script_of(where, deeds))


@given('a handler "{name}" that does')
def handler_does_all(draft: Draft, name: str, table: Table) -> None:
    """A handler and what it does, by `hook` and `deed`, one per row."""
    draft.loop_or_new().script(name, *(script_of(row["hook"], row["deed"]) for row in table))


@given("the handler under test")
def handler_under_test(draft: Draft) -> None:
    """The handler that is judged, in the role handler."""
    draft.loop_or_new().handlers["the handler"] = Own()


@given("the handler under test, which claims to be {claim}")
def handler_under_test_claiming(draft: Draft, claim: str) -> None:
    """The same, where it claims to be idempotent, or to be a no-op; of an idempotent one each hook is called again."""
    claims: dict[str, Claim] = {"idempotent": "idempotent", "a no-op": "no-op"}
    draft.loop_or_new().handlers["the handler"] = Own(claim=one_of(claim, claims), again=claim == "idempotent")


def _legacy(draft: Draft, name: str, **additions: object) -> None:
    loop = draft.loop_or_new()
    loop.legacy[name] = replace(loop.legacy.get(name, Legacy(name=name)), **additions)


@given('a legacy middleware "{name}" that looks on')
def legacy_looks_on(draft: Draft, name: str) -> None:
    """A middleware of the older kind that has every function and changes nothing."""
    hooks = ("before model", "after model", "around tool")
    _legacy(draft, name, scripts=tuple(Script(hook=hook) for hook in hooks))  # type: ignore[arg-type]  # all are hooks


@given('a legacy middleware "{name}" that, {where:Where}, {deeds}')
def legacy_does(draft: Draft, name: str, where: str, deeds: str) -> None:
    """What one of its functions does."""
    known = draft.loop_or_new().legacy.get(name, Legacy(name=name))
    _legacy(draft, name, scripts=(*known.scripts, script_of(where, deeds)))


@given('a legacy middleware "{name}" that adds the instruction "{text}"')
def legacy_instruction(draft: Draft, name: str, text: str) -> None:
    """An additional instruction."""
    _legacy(draft, name, instruction=text)


@given('a legacy middleware "{name}" that adds the tools')
def legacy_tools(draft: Draft, name: str, table: Table) -> None:
    """Additional tools; columns as of the tools."""
    _legacy(draft, name, tools=tools_of(table))


@given('a legacy middleware "{name}" that adds nothing')
def legacy_nothing(draft: Draft, name: str) -> None:
    """A middleware of the older kind in which everything is missing."""
    _legacy(draft, name)


@given('the legacy middleware "{name}" serves plain messages only')
def legacy_plain_only(draft: Draft, name: str) -> None:
    """Its functions cannot work with agentic messages."""
    _legacy(draft, name, plain_only=True)


@given('a tool middleware "{name}" that {deeds}')
def tool_middleware_does(draft: Draft, name: str, deeds: str) -> None:
    """A function around tool calls, configured with the tools, and what it does: maybe it only looks on."""
    script = script_of("around tool", deeds)
    draft.loop_or_new().tool_middlewares[name] = Scripted(name=name, scripts=(script,))
