"""The actions of scripted handlers on the start, the state and the conversation of a run."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ..contract.actions import (
    Action,
    DeferTools,
    DropInstructions,
    Insert,
    OfferTools,
    ReplaceAll,
    ReplaceLast,
    SetCalls,
    SetInstruction,
    SetReturnDirectly,
    SetTools,
    SetToolSearch,
    Summarize,
)
from ..contract.agents import Hook, Script
from ..contract.calls import AgentStart, Edited, State
from ..contract.instructions import carries_instructions
from ..contract.scene import Scene
from ..contract.values import Message


def actions_of(
    scripts: Sequence[Script], hook: Hook, call: int, tool: str | None = None, run: str | None = None
) -> tuple[Action, ...]:
    """The actions of a handler at the n-th call of one of its hooks in a run."""
    return tuple(
        action
        for script in scripts
        if script.hook == hook
        and (not script.calls or call in script.calls)
        and (not script.tools or tool in script.tools)
        and (not script.runs or run in script.runs)
        for action in script.actions
    )


def start(given: AgentStart, actions: Sequence[Action]) -> AgentStart:
    """The start of a run after the actions that change it."""
    for action in actions:
        match action:
            case SetInstruction():
                before = given.instruction if action.append and given.instruction else ""
                given = replace(given, instruction=before + action.text)
            case SetTools():
                given = replace(given, tools=action.tools)
            case SetReturnDirectly():
                given = replace(given, return_directly=action.tools)
            case SetToolSearch():
                given = replace(given, tool_search=action.tool)
            case _:
                continue
    return given


def edit(state: State, actions: Sequence[Action], scene: Scene) -> Edited:
    """The state after the actions that edit it."""
    kept: list[Message | int] = list(range(len(state.messages)))
    tools, deferred = state.tools, state.deferred_tools
    for action in actions:
        match action:
            case OfferTools():
                tools = action.tools
            case DeferTools():
                deferred = action.tools
            case _:
                kept = _edited(kept, action, state, scene)
    return Edited(messages=tuple(kept), tools=tools, deferred_tools=deferred)


def _edited(kept: list[Message | int], action: Action, state: State, scene: Scene) -> list[Message | int]:
    """The conversation after one action: messages of the handler's own, and the indexes of messages that stay."""

    def at(item: Message | int) -> Message:
        return state.messages[item] if isinstance(item, int) else item

    match action:
        case Summarize():
            system = [item for item in kept if at(item).role == "system"]
            rest = [item for item in kept if at(item).role != "system"]
            if len(rest) > action.over:
                return [*system, Message(role="user", content=action.text), *rest[len(rest) - action.keep :]]
        case DropInstructions():
            return [item for item in kept if not carries_instructions(at(item).content, scene)]
        case Insert():
            place = len(kept) if action.at is None else action.at
            return [*kept[:place], action.message, *kept[place:]]
        case ReplaceAll():
            return list(action.messages)
        case ReplaceLast():
            return [*kept[:-1], replace(at(kept[-1]), content=action.text)]
        case SetCalls():
            return [*kept[:-1], replace(at(kept[-1]), tool_calls=action.calls)]
    return kept
