"""What a double does inside a run besides answering: the actions that any of them may have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..contract.actions import (
    Action,
    AddContext,
    DeleteLocal,
    GetLocal,
    GetSession,
    Hold,
    Raise,
    SendEvent,
    SetLocal,
    SetSession,
)
from ..contract.doubles import Inner, ScriptedCrash, ScriptedError, Stranger, Ticket
from ..contract.values import Error, Json
from .record import Record, current_context


@dataclass
class Findings:
    """What a double came across while it acted."""

    found: dict[str, Json] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    refused: dict[str, Error] = field(default_factory=dict)
    answer: str | None = None

    def take(self, key: str, value: object, there: bool) -> None:
        """Take down what was found under a key."""
        if not there:
            self.missing.append(key)
        elif isinstance(value, Ticket | Stranger):  # the record holds JSON
            self.found[key] = f"ticket {value.number}" if isinstance(value, Ticket) else "a stranger"
        else:
            self.found[key] = value


async def act(action: Action, inner: Inner, record: Record, findings: Findings) -> None:
    """Do one action, unless it is about the answer of the one who acts. What refuses is taken down and goes no further.

    Raises `ScriptedError` and `ScriptedSurprise` where the action is to fail.
    """
    match action:
        case Raise():
            raise (ScriptedCrash if action.crash else ScriptedError)(action.code)
        case Hold():
            await record.gates.wait(action.until, record.parking)
        case AddContext():
            current_context.set({**current_context.get({}), action.key: action.value})
        case _:
            _in_the_run(action, inner, record, findings)


def _in_the_run(action: Action, inner: Inner, record: Record, findings: Findings) -> None:
    """Do what needs the run from inside."""
    what = ""
    try:
        match action:
            case SetLocal():
                what = f"set {action.key}"
                inner.set_local(action.key, _value(action))
            case GetLocal():
                what = f"get {action.key}"
                findings.take(action.key, *inner.get_local(action.key))
            case DeleteLocal():
                what = f"delete {action.key}"
                inner.delete_local(action.key)
            case SetSession():
                what = f"set {action.key}"
                inner.set_session(action.key, action.value)
            case GetSession():
                what = f"get {action.key}"
                findings.take(action.key, *inner.get_session(action.key))
            case SendEvent():
                what = "send event"
                inner.send_event(action.payload)
            case _:
                return
    except Exception as error:
        findings.refused[what] = record.describe(error)


async def act_all(actions: Sequence[Action], inner: Inner, record: Record, findings: Findings) -> None:
    """Do one action after the other."""
    for action in actions:
        await act(action, inner, record, findings)


def _value(action: SetLocal) -> object:
    match action.typed:
        case "registered":
            return Ticket(number=7)
        case "unregistered":
            return Stranger()
        case None:
            return action.value
