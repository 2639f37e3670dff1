"""The conversation with one child in JSON-RPC: requests, answers and notifications."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any, NoReturn, TypeVar

import msgspec
from msgspec import UNSET, Raw

from ...contract.faults import AdapterError
from ...contract.mismatch import excerpt
from ...contract.values import Value
from ...protocol import LONGEST_LINE, VERSIONS, rpc
from ...protocol import messages as m
from ...protocol.methods import FROM_HARNESS, Method
from ...protocol.rpc import Line
from .child import Child, TooLong
from .coroutines import Place, Tasks

T = TypeVar("T")

_IDLE = FROM_HARNESS["idle"]

# Seconds until held calls count as stuck if an adapter without the method `idle` is silent.
QUIET = 0.5

_QUOTED = 200  # characters of a quotation in a sentence
_KEPT_MESSAGES = 500  # messages that are kept as evidence
_LONG = 2000  # bytes of each of them

# The harness's own time does not count, up to this multiple of the adapter's: an adapter may write faster than is read.
_PATIENCE = 4
# The bytes that an adapter may write in one case, since everything is recorded.
_MOST = 4 * LONGEST_LINE


class DeadlinePassed(BaseException):
    """Raised when the adapter's time is over. Not an `Exception`, so that no double catches it."""


class Peer:
    """Talks to one child. Raises `AdapterError` for a message that breaks the protocol, and the errors of `Child`.

    `knows_idle`: the adapter answers the method `idle`. `heard`: it has sent a message about the current case. `serve`
    handles its requests and notifications, once a case has begun.
    """

    def __init__(self, child: Child, tasks: Tasks) -> None:
        self.knows_idle = False
        self.heard = False
        self.serve: Callable[[Line], None] | None = None
        self._left = 0.0  # seconds that the adapter still has
        self._until = 0.0
        self._written = 0  # bytes, in this case
        self._child = child
        self._tasks = tasks
        self._sent = 0  # requests
        self._earlier = 0  # requests of earlier cases
        self._received = 0
        self._pending: dict[str, tuple[str, Place[Raw]]] = {}
        self._abandoned: set[str] = set()
        self._backlog: deque[Line] = deque()
        self._broken: BaseException | None = None
        self._idle: tuple[str, int] | None = None
        self._transcript: deque[tuple[str, bytes, int]] = deque(maxlen=_KEPT_MESSAGES)

    def allow(self, seconds: float) -> None:
        """Give the adapter a number of seconds; only the time spent waiting for the adapter counts."""
        self._left = seconds
        self._until = time.monotonic() + _PATIENCE * seconds

    # -- what goes out -------------------------------------------------------------------------------------------------

    def send(self, line: bytes) -> None:
        """Send a line of the protocol."""
        self._transcript.append((">", line[:_LONG], len(line)))
        self._child.send(line)

    def _request(self, method: Method, params: Value) -> str:
        self._sent += 1
        id_ = f"h{self._sent}"
        self.send(rpc.request(id_, method.name, params))
        return id_

    def begin(self, method: Method, params: Value) -> Place[Raw]:
        """Send a request, and return the place of its answer."""
        place: Place[Raw] = Place(self._tasks)
        self._pending[self._request(method, params)] = (method.name, place)
        return place

    async def ask(self, method: Method, params: Value) -> Value:
        """Send a request and return its result."""
        return self.read(method, await self.begin(method, params))

    def ask_now(self, method: Method, params: Value) -> Value:
        """Send a request, and return its result without awaiting; other messages are queued."""
        place = self.begin(method, params)
        while not place.done():
            message = self._next(self._left)
            if message is None:
                self._break(DeadlinePassed())
            elif message.method is None and not self._is_for_another(message, place):
                self._take_reply(message)
            else:
                self._backlog.append(message)
        return self.read(method, place.result())

    def _is_for_another(self, answer: Line, place: Place[Raw]) -> bool:
        """Whether a message answers another open request, and so keeps its place after the messages before it."""
        pending = self._pending.get(str(answer.id))
        return pending is not None and pending[1] is not place

    def read(self, method: Method, raw: Raw) -> Value:
        """Decode the result of a request."""
        assert method.result is not None, "a request has a result"
        try:
            result = rpc.decoded(raw, method.result)
        except msgspec.ValidationError as error:
            self._break(AdapterError(f"the adapter answered {method.name} with {quoted(bytes(raw))}: {error}"))
        if isinstance(result, m.Outcome) and result.error is None and getattr(result, "value", result) is None:
            why = "it has neither a `value` nor an `error`"
            self._break(AdapterError(f"the adapter answered {method.name} with {quoted(bytes(raw))}: {why}"))
        return result

    # -- what comes in -------------------------------------------------------------------------------------------------

    def run(self, coroutine: Coroutine[Any, Any, T], give_up: Callable[[], bool]) -> T:  # Any: for `Tasks` alone
        """Run a coroutine, and serve the adapter meanwhile.

        `give_up` is called when nothing can move. Raises `DeadlinePassed`.
        """
        task = self._tasks.start(coroutine)
        while True:
            self._tasks.move()
            if self._broken is not None:
                raise self._broken
            if task.ended:
                return task.result()
            self._wait(give_up)

    def _wait(self, give_up: Callable[[], bool]) -> None:
        """Take one message, or find that nothing can continue."""
        if self._backlog:
            self._dispatch(self._backlog.popleft())
            return
        timeout = self._left
        if self._tasks.held and not self._child.has_line:
            if not self.knows_idle:
                timeout = min(timeout, QUIET)
            elif self._idle is None:
                self._idle = (self._request(_IDLE, m.Empty()), self._received)
        message = self._next(timeout)
        if message is not None:
            idle = self._idle
            self._dispatch(message)
            if idle is not None and self._idle is None and self._received == idle[1] + 1:  # nothing else came
                give_up()
        elif self._left <= 0:
            raise DeadlinePassed
        else:
            give_up()

    def _next(self, timeout: float) -> Line | None:
        """Return the next message, or None after the timeout."""
        began = time.monotonic()
        if began > self._until:
            self._left = 0.0
        if self._left <= 0:
            return None
        try:
            line = self._child.receive(timeout)
        except TooLong as error:
            limit = f"{LONGEST_LINE} bytes, the limits.maxLineBytes; the line begins with {quoted(error.start)}"
            self._break(AdapterError(f"the adapter wrote a line that is longer than {limit}"))
        except BaseException as error:
            self._break(error)
        self._left -= time.monotonic() - began
        if line is None:
            return None
        self._received += 1
        self._written += len(line)
        self._transcript.append(("<", line[:_LONG], len(line)))
        if self._written > _MOST:
            self._break(AdapterError(f"the adapter wrote more than {_MOST} bytes in one case: write less"))
        try:
            message = rpc.line_decoder.decode(line)
        except rpc.UNREADABLE as error:
            self._break(AdapterError(_no_message(line, error)))
        if message.method is None and (message.id is None or (message.result is UNSET) == (message.error is None)):
            self._break(AdapterError(f"the adapter wrote {quoted(line)}, which is neither a request nor an answer"))
        return message

    def _dispatch(self, message: Line) -> None:
        if message.method is None:
            self._take_reply(message)
            return
        try:
            if self.serve is not None:
                self.serve(message)
            elif message.method == "adapter/fault":
                raise AdapterError(own_fault(message))
            elif message.id is not None:
                self.send(rpc.refusal(message.id, rpc.CASE_OVER, "no case has begun"))
        except AdapterError as error:
            self._break(error)

    def _take_reply(self, message: Line) -> None:
        id_ = str(message.id)
        if self._idle is not None and id_ == self._idle[0]:  # other messages precede the answer to `idle`
            self._idle = None
            return
        if id_ not in self._pending:
            number = int(id_[1:]) if id_.startswith("h") and id_[1:].isdecimal() and len(id_) < _QUOTED else 0
            if 0 < number <= self._earlier or id_ in self._abandoned:
                return
            what = "has been answered already" if 0 < number <= self._sent else "is the id of no request"
            self._break(AdapterError(f"the adapter answered {quoted(id_.encode())}, which {what}"))
        self.heard = True
        method, place = self._pending.pop(id_)
        if message.error is not None:
            self._break(AdapterError(_rpc_error(method, message.error)))
        assert message.result is not UNSET
        place.set_result(message.result)

    def _break(self, error: BaseException) -> NoReturn:
        """Break the conversation: the error is raised now, and again in each later call."""
        self.broke(error)
        raise self._broken or error

    def broke(self, error: BaseException) -> None:
        """Break the conversation from within a task."""
        self._broken = self._broken or error

    def let_go(self) -> tuple[str, ...]:
        """Stop waiting for all unanswered requests, and return their ids."""
        ids = tuple(self._pending)
        self._abandoned.update(ids)
        if self._idle is not None:
            self._abandoned.add(self._idle[0])
            self._idle = None
        self._pending.clear()
        return ids

    def awaited(self) -> str:
        """Return the methods of the unanswered requests, as a part of a sentence."""
        return ", ".join(dict.fromkeys(method for method, _ in self._pending.values())) or "the last request"

    def transcript(self) -> str:
        """Return the last messages, long ones shortened."""
        return "\n".join(
            f"{way} {start.decode('utf-8', 'replace')}" + ("" if length <= _LONG else f" … ({length} bytes)")
            for way, start, length in self._transcript
        )

    def forget(self) -> None:
        """Start another case: late messages of earlier cases are neither faults nor evidence."""
        self.heard = False
        self._earlier = self._sent
        self._written = 0
        self._abandoned.clear()
        self._transcript.clear()


def quoted(line: bytes) -> str:
    """A line as a part of a sentence."""
    return repr(excerpt(line.decode("utf-8", "replace"), _QUOTED))


def own_fault(message: Line) -> str:
    """The fault that an adapter reports about itself, as a sentence."""
    try:
        fault = rpc.decoded(message.params, m.AdapterFault).message
    except msgspec.ValidationError:
        fault = quoted(bytes(message.params))
    return f"the adapter reports a fault of its own: {fault}"


def _no_message(line: bytes, error: Exception) -> str:
    try:
        given = msgspec.json.decode(line)
    except RecursionError:
        given = {}
    except rpc.UNREADABLE:
        given = {} if line.lstrip().startswith(b'{"') else None
    if isinstance(given, list) and given and isinstance(given[0], dict):
        return f"the adapter wrote the batch {quoted(line)}: write one message per line"
    if isinstance(given, dict):
        return f"the adapter wrote {quoted(line)}, which is not a message of JSON-RPC: {error}"
    return (
        f"the adapter printed {quoted(line)} to its standard output, which is for messages only: "
        "print to standard error instead"
    )


def _rpc_error(method: str, error: rpc.RpcError) -> str:
    why = error.message or "it gives no reason"
    if error.code == rpc.BAD_VERSION:
        versions = ", ".join(map(str, VERSIONS))
        return f"the adapter speaks no version of the protocol that this suite speaks ({versions}): {why}"
    if error.code == rpc.UNKNOWN_METHOD:
        return f"the adapter does not know {method}, which its declarations need: {why}"
    return f"the adapter answered {method} with the error {error.code}: {why}"
