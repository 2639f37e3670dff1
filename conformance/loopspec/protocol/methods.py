"""The one table of all methods: which function each of them calls, on which side, and in which roles.

The signature of a function of the contract is the only statement of its method: parameters are the fields of its
params, the returned value is the `value` of its result, and its docstring says what both mean. `messages` has what no
signature states. Params and results of signatures become types when they are first needed.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import NoneType, UnionType
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

import msgspec

from ..contract.calls import InvalidValue
from ..contract.capabilities import Capability
from ..contract.doubles import BegunAnswer, Doubles, Inner, InnerModel, InnerTool, Recovery
from ..contract.plugins import Strategy
from ..contract.roles import ROLES, Role
from ..contract.stage import Environment
from ..contract.values import Error, FileData, Value
from . import messages as m
from .adapter import Adapter

Side = Literal["harness", "adapter"]

_INNER = (Inner, InnerModel, InnerTool)


@dataclass(frozen=True)
class Method:
    """A method: `caller` sends it. `part` is the part of a stage that has the `function`, and `name` its wire name.

    `nested`: it comes within a call of the adapter's only, or outside any run. With a `capability`, it comes only where
    the adapter declares that capability. A method without a function has `stated` params, and a `stated` result unless
    it is a notification.
    """

    name: str
    part: str
    function: Callable[..., Any] | None
    roles: tuple[Role, ...]
    capability: Capability | None = None
    caller: Side = "harness"
    nested: bool = False
    stated: tuple[type[Value], type[Value] | None] | None = None
    said: str = ""

    @property
    def attribute(self) -> str:
        """The name of the function."""
        assert self.function is not None, "a stated method has no function"
        return self.function.__name__

    @property
    def meaning(self) -> str:
        """What the method does, in a sentence for people."""
        return self.said or inspect.getdoc(self.function or self.params).partition("\n")[0]  # type: ignore[union-attr]  # all have one

    @cached_property
    def _hints(self) -> dict[str, Any]:  # Any: annotations
        return get_type_hints(self.function)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The parameters, without the function's own object."""
        assert self.function is not None, "a stated method has no function"
        return tuple(inspect.signature(self.function).parameters)[1:]

    @cached_property
    def inner(self) -> str:
        """The parameter that is the inside of a run; empty if there is none."""
        return next((name for name in self.names if self._hints[name] in _INNER), "")

    @cached_property
    def wraps(self) -> Literal["model", "tool", ""]:
        """What an around-hook wraps: its inner endpoint has this name. Empty for another method."""
        endpoints: dict[type, Literal["model", "tool"]] = {InnerModel: "model", InnerTool: "tool"}
        return endpoints.get(self._hints[self.inner], "") if self.inner else ""

    @cached_property
    def streams(self) -> bool:
        """Whether the result comes in chunks."""
        return self.stated is None and get_origin(self._hints["return"]) is AsyncIterator

    @cached_property
    def awaits(self) -> bool:
        """Whether the function is a coroutine: otherwise the caller gets the result without awaiting."""
        return inspect.iscoroutinefunction(self.function)

    @cached_property
    def params(self) -> type[Value]:
        """The type of the params."""
        if self.stated is not None:
            return self.stated[0]
        base = m.AdapterMessage if self.caller == "adapter" else m.NestedRequest if self.nested else m.CaseMessage
        defaults = {one.name: one.default for one in inspect.signature(self.function).parameters.values()}  # type: ignore[arg-type]  # not stated
        fields = []
        for name in self.names:
            if name == self.inner:
                continue
            hint = self._hints[name]
            of_run = self.nested and name == "value"
            written = m.RunValue if of_run else _as_written(hint, f"the parameter `{name}` of {self.name}")
            default = () if defaults[name] is inspect.Parameter.empty else (defaults[name],)
            if not default and self.caller == "adapter" and NoneType in get_args(written):
                default = (None,)  # many languages write no null
            fields.append((name, written, *default))
        return self._made(base, "", fields, inspect.getdoc(self.function) or "")

    @cached_property
    def result(self) -> type[Value] | None:
        """The type of the result; None for a notification."""
        if self.stated is not None:
            return self.stated[1]
        returned = self._hints["return"]
        if self.caller == "adapter" and returned is NoneType and not self.awaits:
            return None
        if returned == str | bytes | None:
            return m.FileReply
        if get_origin(returned) is tuple and get_args(returned)[1] is bool:
            return m.Found
        if self.streams:
            return m.StreamReply
        base: type[Value] = m.Outcome
        if self.caller == "adapter":
            base = m.AroundReply if self.wraps else m.Reply
        if (value := _value_of(returned, f"the result of {self.name}")) is None:
            return base
        return self._made(base, "Reply", [("value", value, None)], f"The answer to `{self.name}`.")

    def _made(
        self, base: type[Value], ending: str, fields: Sequence[Any], meaning: str
    ) -> type[Value]:  # Any: of defstruct
        words = re.findall(r"[A-Z]?[a-z]+", self.name)
        name = "".join(word[:1].upper() + word[1:] for word in words) + ending
        made = msgspec.defstruct(
            name, fields, bases=(base,), module=__name__, namespace={"__doc__": meaning}, frozen=True, kw_only=True
        )
        return cast("type[Value]", made)


_PLAIN = (str, bool, int, float, NoneType, Any)


def _as_written(annotation: Any, where: str) -> Any:  # Any: annotations
    """The type of a field for a parameter: errors, strategies and contents of files have forms of their own.

    Raises `TypeError` for an annotation that no message has a form for; `where` it is, in words.
    """
    if annotation is BaseException:
        return Error
    if annotation is Strategy:
        return str
    if annotation is bytes:
        return FileData
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin in (Union, UnionType):
        return Union[tuple(_as_written(one, where) for one in arguments)]  # noqa: UP007  # made at run time
    if origin in (Sequence, list) or (origin is tuple and arguments[1:] == (...,)):
        return tuple.__class_getitem__((_as_written(arguments[0], where), ...))
    if origin in (Mapping, dict):
        return dict.__class_getitem__((arguments[0], _as_written(arguments[1], where)))
    if annotation in _PLAIN or origin is Literal or (isinstance(annotation, type) and issubclass(annotation, Value)):
        return annotation
    raise TypeError(f"{where} is {annotation}, which has no form in a message")


def _value_of(annotation: Any, where: str) -> Any:  # Any: annotations
    """The type of the value in a result, or None; invalid values and begun answers have forms of their own."""
    members = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)
    written = [
        _as_written(one, where)
        for one in members
        if one not in (NoneType, InvalidValue) and get_origin(one) is not BegunAnswer
    ]
    return written[0] | None if written else None


_EACH: tuple[Role, ...] = tuple(ROLES)
_LOOPS: tuple[Role, ...] = ("agent", "plugins", "handler")
_FILES: tuple[Role, ...] = ("loader", "middleware", *_LOOPS)
_HOOKS: tuple[Role, ...] = ("middleware", "agent")
_AGENT: tuple[Role, ...] = ("agent",)
_CHAIN: tuple[Role, ...] = ("agent", "handler")
_LAYER: tuple[Role, ...] = ("plugins",)
_STORE: tuple[Role, ...] = ("backend",)


def _stated(
    name: str,
    said: str,
    params: type[Value],
    result: type[Value] | None,
    roles: tuple[Role, ...],
    capability: Capability | None = None,
) -> Method:
    return Method(name, "", None, roles, capability, stated=(params, result), said=said)


_FROM_HARNESS = (
    _stated("initialize", "Offers versions; asks for the declarations.", m.Initialize, m.Initialized, _EACH),
    _stated("ping", "Answer at once.", m.Empty, m.Empty, _EACH),
    _stated("idle", "Answer when only a message can move anything in the adapter.", m.Empty, m.Empty, _EACH),
    _stated("restart", "Answer from a new process, in which nothing has happened.", m.Empty, m.Empty, _EACH),
    _stated("case/end", "Ends a case: release everything of it, then answer.", m.CaseMessage, m.Empty, _EACH),
    _stated("exit", "Asks the adapter to exit.", m.Empty, None, _EACH),
    _stated("$/cancel", "Cancels a request.", m.CancelCall, None, _EACH),
    Method("language/set", "", Adapter.set_language, _HOOKS, "language-zh"),
    Method("loader/load", "", Adapter.load, ("loader",)),
    Method("workspace/read", "", Adapter.read_workspace, ("workspace",)),
    Method("middleware/create", "", Adapter.create_middleware, ("middleware",)),
    Method("middleware/beforeModel", "", Adapter.before_model, ("middleware",)),
    Method("agent/create", "", Adapter.create_agent, _LOOPS),
    _stated("agent/run", "Runs the agent; answer when the run is over.", m.RunAgent, m.RunEnded, _LOOPS),
    _stated("agent/resume", "Resumes a run that tools or approvals stop.", m.RunAgent, m.RunEnded, _LOOPS),
    _stated("run/cancel", "Cancels a run; answer at once.", m.CancelRun, m.CancelReply, _LOOPS, "cancel"),
    Method("cancel/wait", "", Adapter.wait_for_cancel, _LOOPS, "cancel"),
    Method("strategies/list", "", Adapter.list_strategies, _LAYER, "registry"),
    Method("backend/open", "", Adapter.open, _STORE),
    Method("backend/read", "", Adapter.read, _STORE),
    Method("backend/write", "", Adapter.write, _STORE, "edits"),
    Method("backend/delete", "", Adapter.delete, _STORE, "deletes"),
    Method("backend/fault", "", Adapter.fault, _STORE),
    Method("backend/link", "", Adapter.link, _STORE, "links"),
    Method("backend/fail", "", Adapter.fail, _STORE),
    Method("backend/resources", "", Adapter.resources, _STORE, "resources"),
    Method("backend/close", "", Adapter.close, _STORE),
)
_NESTED = (
    _stated("next", "Calls the inner endpoint from an around-hook.", m.Next, m.NextReply, _LOOPS),
    _stated("outcome/read", "Reads the outcome of a `next` to its end.", m.ReadOutcome, m.OutcomeReply, _LOOPS),
    Method("local/set", "", Inner.set_local, _AGENT, "run-values"),
    Method("local/get", "", Inner.get_local, _AGENT, "run-values"),
    Method("local/delete", "", Inner.delete_local, _AGENT, "run-values"),
    Method("session/set", "", Inner.set_session, _AGENT, "session-values"),
    Method("session/get", "", Inner.get_session, _AGENT, "session-values"),
    Method("event/send", "", Inner.send_event, _AGENT, "send-event"),
    Method("message/send", "", Inner.send_message, _AGENT, "messages-during-runs"),
    Method("context/assign", "", Inner.assign, _LAYER),
)
_FROM_ADAPTER = (
    Method("files/read", "environment", Environment.read, _FILES),
    Method("warning", "environment", Environment.warn, _FILES),
    Method("log", "environment", Environment.log, _FILES),
    Method("model/generate", "doubles", Doubles.generate, _LOOPS),
    Method("model/stream", "doubles", Doubles.stream, _LOOPS),
    Method("tool/invoke", "doubles", Doubles.invoke, _LOOPS),
    Method("tool/stream", "doubles", Doubles.invoke_streaming, _LOOPS),
    _stated("stream/next", "Reads the next chunk of a stream.", m.StreamRequest, m.StreamReply, _LOOPS),
    _stated("stream/close", "Closes a stream before its end.", m.StreamRequest, None, _LOOPS),
    Method("hook/beforeAgent", "doubles", Doubles.before_agent, _CHAIN),
    Method("hook/edit", "doubles", Doubles.edit, _LOOPS),
    Method("hook/aroundModel", "doubles", Doubles.around_model, _LOOPS),
    Method("hook/aroundTool", "doubles", Doubles.around_tool, _LOOPS),
    Method("handler/report", "doubles", Doubles.handled, ("handler",)),
    Method("agent/makeInput", "doubles", Doubles.make_input, _AGENT, "custom-input"),
    Method("retry/isRetryable", "recovery", Recovery.retryable, _AGENT, "retry"),
    Method("retry/isAccepted", "recovery", Recovery.accepted, _AGENT, "retry"),
    Method("retry/delay", "recovery", Recovery.delay, _AGENT, "retry"),
    Method("clock/sleep", "recovery", Recovery.sleep, _AGENT),
    Method("failover/shouldFailover", "recovery", Recovery.should_failover, _AGENT, "failover"),
    Method("failover/nextModel", "recovery", Recovery.next_model, _AGENT, "failover"),
    Method("callback", "doubles", Doubles.called_back, _AGENT, "callbacks"),
    Method("plugin/create", "doubles", Doubles.create, _LAYER, "graph"),
    Method("tokens/count", "doubles", Doubles.count_tokens, _LAYER, "summarization"),
    Method("execution", "doubles", Doubles.executed, _LAYER, "execution-trace"),
    _stated("run/event", "Reports an event of a run.", m.RunEvent, None, _LOOPS),
    _stated("run/chunk", "Reports a chunk of an event that is a stream.", m.RunChunk, None, _LOOPS),
    _stated("run/final", "Reports the final answer of a run.", m.RunFinal, None, _LOOPS),
    _stated("run/saved", "Reports what a run has saved.", m.RunSaved, None, _AGENT, "saved-runs"),
    _stated("adapter/fault", "Reports that the adapter itself is broken.", m.AdapterFault, None, _EACH),
    _stated("$/cancel", "Cancels a request.", m.CancelCall, None, _LOOPS),
)

FROM_HARNESS: dict[str, Method] = {
    **{one.name: one for one in _FROM_HARNESS},
    **{one.name: replace(one, nested=True) for one in _NESTED},
}
FROM_ADAPTER: dict[str, Method] = {one.name: replace(one, caller="adapter") for one in _FROM_ADAPTER}


def of_part(part: str) -> dict[str, Method]:
    """The methods of a part of a stage, by the names of their functions."""
    return {one.attribute: one for one in FROM_ADAPTER.values() if one.part == part}


OF_ADAPTER: dict[str, Method] = {one.attribute: one for one in FROM_HARNESS.values() if one.function and not one.nested}
OF_INSIDE: dict[str, Method] = {one.attribute: one for one in FROM_HARNESS.values() if one.function and one.nested}
