"""The actions of scripts: on the start, the state and the conversation of a run, and inside the run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from msgspec.structs import replace

from ..contract import actions as do
from ..contract.acting import Hook
from ..contract.actions import Action, Script
from ..contract.calls import AgentStart, Edited, ModelRequest, State
from ..contract.doubles import Inner, RegisteredValue, ScriptedCrash, ScriptedError, UnregisteredValue
from ..contract.instructions import carries_instructions
from ..contract.scene import Scene
from ..contract.values import Error, Json, Message
from .record import Record, current_context


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
            case do.SetInstruction():
                before = given.instruction if action.append and given.instruction else ""
                given = replace(given, instruction=before + action.text)
            case do.SetTools():
                given = replace(given, tools=action.tools)
            case do.SetReturnDirectly():
                given = replace(given, return_directly=action.tools)
            case do.SetToolSearch():
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
            case do.OfferTools():
                tools = action.tools
            case do.DeferTools():
                deferred = action.tools
            case _:
                kept = _edited(kept, action, state, scene)
    return Edited(messages=tuple(kept), tools=tools, deferred_tools=deferred)


def _edited(kept: list[Message | int], action: Action, state: State, scene: Scene) -> list[Message | int]:
    """The conversation after one action: messages of the handler's own, and the indexes of messages that stay."""

    def at(item: Message | int) -> Message:
        return state.messages[item] if isinstance(item, int) else item

    match action:
        case do.Summarize():
            system = [item for item in kept if at(item).role == "system"]
            rest = [item for item in kept if at(item).role != "system"]
            if len(rest) > action.over:
                return [*system, Message(role="user", content=action.text), *rest[len(rest) - action.keep :]]
        case do.DropInstructions():
            return [item for item in kept if not carries_instructions(at(item).content, scene)]
        case do.Insert():
            place = len(kept) if action.at is None else action.at
            return [*kept[:place], action.message, *kept[place:]]
        case do.ReplaceAll():
            return list(action.messages)
        case do.ReplaceLast():
            return [*kept[:-1], replace(at(kept[-1]), content=action.text)]
        case do.SetCalls():
            return [*kept[:-1], replace(at(kept[-1]), tool_calls=action.calls)]
    return kept


@dataclass
class Findings:
    """What a double found while it acted."""

    found: dict[str, Json] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    refused: dict[str, Error] = field(default_factory=dict)
    answer: str | None = None

    def take(self, key: str, value: object, there: bool) -> None:
        """Record what was found under a key."""
        if not there:
            self.missing += (key,)
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
        case do.Raise():
            raise (ScriptedCrash if action.crash else ScriptedError)(action.code)
        case do.Hold():
            await record.gates.wait(action.until, record.new_waiter)
        case do.AddContext():
            current_context.set({**current_context.get({}), action.key: action.value})
        case _:
            _in_the_run(action, inner, record, findings)


def _in_the_run(action: Action, inner: Inner, record: Record, findings: Findings) -> None:
    """Do an action that needs the inside of the run."""
    what = ""
    try:
        match action:
            case do.SetLocal():
                what = f"set {action.key}"
                inner.set_local(action.key, _value(action))
            case do.GetLocal():
                what = f"get {action.key}"
                findings.take(action.key, *inner.get_local(action.key))
            case do.DeleteLocal():
                what = f"delete {action.key}"
                inner.delete_local(action.key)
            case do.SetSession():
                what = f"set {action.key}"
                inner.set_session(action.key, action.value)
            case do.GetSession():
                what = f"get {action.key}"
                findings.take(action.key, *inner.get_session(action.key))
            case do.SendEvent():
                what = "send event"
                inner.send_event(action.payload)
            case do.SendMessage():
                what = "send message"
                inner.send_message(action.text)
            case _:
                return
    except Exception as error:
        findings.refused[what] = record.describe(error)


async def act_all(actions: Sequence[Action], inner: Inner, record: Record, findings: Findings) -> None:
    """Do the actions, one after the other."""
    for action in actions:
        await act(action, inner, record, findings)


def _value(action: do.SetLocal) -> object:
    match action.typed:
        case "registered":
            return RegisteredValue(number=7)
        case "unregistered":
            return UnregisteredValue()
        case None:
            return action.value


V = TypeVar("V", ModelRequest, State)


def joined(value: V) -> V:
    """The request or state with its system instruction as the first message; an empty instruction is no message."""
    if value.system is None:
        return value
    first: tuple[Message, ...] = (Message(role="system", content=value.system),) if value.system else ()
    return replace(value, messages=(*first, *value.messages), system=None)


def split_request(request: ModelRequest, given: ModelRequest) -> ModelRequest:
    """The request that a wrapper passes on, with the system instruction where the given request had it."""
    if given.system is None:
        return request
    if request.messages and request.messages[0].role == "system":
        return replace(request, system=request.messages[0].content, messages=request.messages[1:])
    return replace(request, system="")


def split_edited(edited: Edited, given: State) -> Edited:
    """The edits of a joined state, with the system instruction where the given state had it."""
    if given.system is None:
        return edited
    offset, system = (1 if given.system else 0), ""
    messages: list[Message | int] = []
    for at, item in enumerate(edited.messages):
        if item == 0 and offset:
            system = given.system
        elif at == 0 and isinstance(item, Message) and item.role == "system":
            system = item.content
        else:
            messages.append(item - offset if isinstance(item, int) else item)
    return replace(edited, messages=tuple(messages), system=system)
