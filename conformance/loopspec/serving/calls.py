"""The calls of one case to the harness: each part of a stage at this end of the pipe."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from typing import Any

from ..contract.calls import InvalidValue
from ..contract.doubles import Interruption
from ..contract.errors import Kinds, UnhandledErrors, describe
from ..contract.plugins import Strategy
from ..contract.values import Error, Value
from ..protocol import messages as m
from ..protocol.conversion import failed, read_content
from ..protocol.methods import FROM_ADAPTER, Method, of_part
from ..stage.record import current_context, current_run
from .inside import Around, Inside
from .pipe import Pipe

NEXT_CHUNK = FROM_ADAPTER["stream/next"]


class CaseCalls:
    """Sends the requests and notifications of one case. `kinds` are the target's own exceptions."""

    def __init__(self, pipe: Pipe, case: int, kinds: Kinds) -> None:
        self.kinds = kinds
        self.unhandled = UnhandledErrors()
        self.strategies: dict[int, str] = {}  # their keys, by the identity of a strategy
        self.pipe = pipe
        self._case = case

    def where(self) -> dict[str, Any]:  # Any: the fields of every message of an adapter
        """Return the case, the run and the context values of the current task."""
        return {"case": self._case, "run": current_run.get(), "ctx": dict(current_context.get({}))}

    def described(self, error: BaseException) -> Error:
        """Return the contract's error for an exception of the implementation."""
        return describe(error, self.kinds, self.unhandled)

    def _params(self, method: Method, args: Sequence[object], named: dict[str, object]) -> tuple[Value, Inside | None]:
        """The params of a call, and what serves the requests of the harness within the call."""
        given = {**dict(zip(method.names, args, strict=False)), **named}
        inner: Any = given.pop(method.inner, None)
        within = None
        if inner is not None:
            described = self.described
            within = Around(described, inner, method.wraps) if method.wraps else Inside(described, inner)
        return method.params(**self.where(), **{name: self._as_written(value) for name, value in given.items()}), within

    def _as_written(self, value: object) -> object:
        match value:
            case BaseException():
                return self.described(value)
            case Strategy():
                return self.strategies[id(value)]
        return value

    def note(self, method: Method, /, *args: object, **named: object) -> None:
        """Send a notification."""
        self.pipe.notify(method.name, self._params(method, args, named)[0])

    def ask_now(self, method: Method, /, *args: object, **named: object) -> object:
        """Send a request and return its result, where nothing can be awaited. Raises the error of the double."""
        params, within = self._params(method, args, named)
        return _value_of(self._checked(self.pipe.ask_now(method, params, within)), within)

    async def ask(self, method: Method, /, *args: object, **named: object) -> object:
        """Send a request and return its result. Raises the error of the double, and its interrupt."""
        params, within = self._params(method, args, named)
        return _value_of(await self._asked(method, params, within), within)

    async def stream(self, method: Method, /, *args: object, **named: object) -> AsyncIterator[object]:
        """Send a request whose result comes in chunks, and yield these."""
        params, within = self._params(method, args, named)
        item: Any = await self._asked(method, params, within)
        name, over = item.stream, False
        try:
            while not item.end:
                yield item.message or item.answer
                try:
                    item = await self._asked(NEXT_CHUNK, m.StreamRequest(**self.where(), stream=name))
                except BaseException:
                    over = True
                    raise
            over = True
        finally:
            if not over:
                self.pipe.notify("stream/close", m.StreamRequest(**self.where(), stream=name))

    async def _asked(self, method: Method, params: Value, within: Inside | None = None) -> Value:
        if method.part == "doubles" and method.attribute in ("generate", "stream"):
            self.unhandled.model_called(current_run.get())
        return self._checked(await self.pipe.ask(method, params, within))

    def _checked(self, reply: Value) -> Value:
        if isinstance(reply, m.Reply):
            if reply.error is not None:
                error = failed(reply.error)
                self.unhandled.add(current_run.get(), error)
                raise error
            if reply.interrupt is not None:
                raise Interruption(reply.interrupt.info, reply.interrupt.state)
        return reply


class RemotePart:
    """One part of a stage, such as its doubles: the functions of its protocol in the contract, each as a call."""

    def __init__(self, calls: CaseCalls, part: str) -> None:
        self._calls = calls
        self._methods = of_part(part)

    def __getattr__(self, attribute: str) -> Callable[..., Any]:  # Any: what the function of the contract returns
        method = self._methods.get(attribute)
        if method is None:
            raise AttributeError(attribute)
        calls = self._calls
        if method.result is None:
            kind: Callable[..., Any] = calls.note
        elif method.streams:
            kind = calls.stream
        else:
            kind = calls.ask if method.awaits else calls.ask_now
        call = partial(kind, method)
        setattr(self, attribute, call)
        return call


def _value_of(reply: Any, within: Inside | None) -> object:  # Any: the result of whichever method
    """Return what a result stands for."""
    if isinstance(reply, m.FileReply):
        return read_content(reply)
    if isinstance(within, Around):
        return within.result(reply)
    return InvalidValue() if reply.invalid else getattr(reply, "value", None)
