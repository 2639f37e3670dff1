"""The needs of actions, wherever a scene scripts them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..actions import (
    Action,
    AddContext,
    AddOption,
    CallInner,
    DeferTools,
    DeleteLocal,
    GetLocal,
    GetSession,
    GiveCommand,
    Insert,
    Jump,
    ReplaceAll,
    ReturnNothing,
    Rewrite,
    SendEvent,
    SetCalls,
    SetInstruction,
    SetLocal,
    SetReturnDirectly,
    SetSession,
    SetToolSearch,
    UseInvalidValue,
)
from ..agents import Script
from ..capabilities import Capability
from ..values import ToolCall
from .models import is_raw, of_calls
from .reasons import present

_ACTIONS: dict[type[Action], Capability] = {
    AddContext: "context-values",
    AddOption: "tool-options",
    SetLocal: "run-values",
    GetLocal: "run-values",
    DeleteLocal: "run-values",
    SetSession: "session-values",
    GetSession: "session-values",
    SendEvent: "send-event",
    DeferTools: "deferred-tools",
    SetToolSearch: "tool-search",
    SetReturnDirectly: "return-directly",
    GiveCommand: "command",
    Jump: "jump",
    ReturnNothing: "missing-results",
    UseInvalidValue: "invalid-values",
}


def of_scripts(scripts: Iterable[Script]) -> set[Capability]:
    """Return the capabilities that scripts need because of their actions."""
    needed: set[Capability] = set()
    for script in scripts:
        needed |= of_actions(script.actions)
        if script.hook == "around tool" and any(
            isinstance(one, Rewrite) and is_raw(one.text) for one in script.actions
        ):
            needed.add("raw-arguments")
    return needed


def of_actions(actions: Sequence[Action]) -> set[Capability]:
    """Return the capabilities that the actions of one hook, or of the body of one tool, need."""
    needed = {_ACTIONS[type(action)] for action in actions if type(action) in _ACTIONS}
    needed |= present(
        {
            "custom-types": any(isinstance(action, SetLocal) and action.typed for action in actions),
            "repeated-inner-calls": sum(one.tries for one in actions if isinstance(one, CallInner)) > 1,
            "reports-instruction": any(isinstance(action, SetInstruction) and action.append for action in actions),
        }
    )
    return needed | of_calls(call for action in actions for call in _calls(action))


def _calls(action: Action) -> Sequence[ToolCall]:
    """The tool calls that an action puts into the conversation."""
    match action:
        case SetCalls():
            return action.calls
        case Insert():
            return action.message.tool_calls
        case ReplaceAll():
            return [call for message in action.messages for call in message.tool_calls]
        case _:
            return ()
