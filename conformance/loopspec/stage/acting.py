"""The actions that any double may do inside a run, whatever it answers."""

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
from ..contract.doubles import Inner, RegisteredValue, ScriptedCrash, ScriptedError, UnregisteredValue
from ..contract.values import Error, Json
from .record import Record, current_context


@dataclass
class Findings:
    """What a double found while it acted."""

    found: dict[str, Json] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    refused: dict[str, Error] = field(default_factory=dict)
    answer: str | None = None

    def take(self, key: str, value: object, there: bool) -> None:
        """Record what was found under a key."""
        if not there:
            self.missing.append(key)
        elif isinstance(value, RegisteredValue):  # the record holds JSON
            self.found[key] = f"ticket {value.number}"
        elif isinstance(value, UnregisteredValue):
            self.found[key] = "a value of an unregistered type"
        else:
            self.found[key] = value


async def act(action: Action, inner: Inner, record: Record, findings: Findings) -> None:
    """Do one action, unless it is about the double's answer. A refusal is recorded, and goes no further.

    Raises `ScriptedError` and `ScriptedCrash` where the action is to fail.
    """
    match action:
        case Raise():
            raise (ScriptedCrash if action.crash else ScriptedError)(action.code)
        case Hold():
            await record.gates.wait(action.until, record.new_waiter)
        case AddContext():
            current_context.set({**current_context.get({}), action.key: action.value})
        case _:
            _in_the_run(action, inner, record, findings)


def _in_the_run(action: Action, inner: Inner, record: Record, findings: Findings) -> None:
    """Do an action that needs the inside of the run."""
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
    """Do the actions, one after the other."""
    for action in actions:
        await act(action, inner, record, findings)


def _value(action: SetLocal) -> object:
    match action.typed:
        case "registered":
            return RegisteredValue(number=7)
        case "unregistered":
            return UnregisteredValue()
        case None:
            return action.value
