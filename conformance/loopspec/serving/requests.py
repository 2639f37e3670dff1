"""The requests of one case to the harness."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ..contract.errors import Kinds, UnhandledErrors, describe
from ..contract.values import Error, Value
from ..protocol import messages as m
from ..protocol.conversion import failed
from ..protocol.rpc import Line
from .pipe import Pipe, Within, current_context, current_run

R = TypeVar("R", bound=m.Reply | m.FileReply)


class CaseRequests:
    """Sends the requests and notifications of one case. `kinds` are the target's own exceptions."""

    def __init__(self, pipe: Pipe, case: int, kinds: Kinds) -> None:
        self.kinds = kinds
        self.unhandled = UnhandledErrors()
        self._pipe = pipe
        self._case = case

    def where(self) -> dict[str, Any]:  # Any: the fields of every message of an adapter
        """Return the case, the run and the context values of the current task."""
        return {"case": self._case, "run": current_run.get(), "ctx": dict(current_context.get({}))}

    async def ask(self, method: str, params: m.AdapterMessage, kind: type[R], within: Within | None = None) -> R:
        """Send a request and return the answer. Raises the error of the double."""
        if isinstance(params, m.CallModel):
            self.unhandled.model_called(current_run.get())
        return self._checked(await self._pipe.ask(method, params, kind, within))

    def ask_now(
        self, method: str, params: m.AdapterMessage, kind: type[R], within: Callable[[Line], Value] | None = None
    ) -> R:
        """Send a request and return the answer, where nothing can be awaited. Raises the error of the double."""
        return self._checked(self._pipe.ask_now(method, params, kind, within))

    def notify(self, method: str, params: Value) -> None:
        """Send a notification."""
        self._pipe.notify(method, params)

    def described(self, error: BaseException) -> Error:
        """Return the contract's error for an exception of the implementation."""
        return describe(error, self.kinds, self.unhandled)

    def _checked(self, reply: R) -> R:
        if isinstance(reply, m.Reply) and reply.error is not None:
            error = failed(reply.error)
            self.unhandled.add(current_run.get(), error)
            raise error
        return reply
