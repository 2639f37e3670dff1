"""One run of one agent, and what handlers and tools can do with the run they are called in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Literal, get_args

from ..values.errors import OutsideRunError
from ..values.events import CustomEvent, Event
from ..values.messages import AnyMessage, Json
from .run_values import packed

if TYPE_CHECKING:
    from ..calls.outputs import EventStream
    from ..tools.kinds import ToolInfo
    from .cancels import Canceller


Target = Literal["model", "tools", "end"]

_JUMP = "__jump__"  # the run-local value a jump is until the present step is done, so that a checkpoint holds it


def discard(event: Event) -> None:
    """What becomes of the events of a run that nobody listens to."""


class Run:
    """What belongs to one run of one agent, and ends with it.

    `local` holds the run-local values, such as a checkpoint can hold. `session` is the caller's own mapping and
    shared with the runs of sub-agents, `local` is not. `path` names the agents down to this one. `context` is what
    the caller lets hooks read: nothing keeps it (XP-CTX-02).
    """

    __slots__ = (
        "agent",
        "canceller",
        "context",
        "conversation",
        "emit",
        "event_streams",
        "forwards",
        "iteration",
        "local",
        "model",
        "named",
        "nested",
        "path",
        "session",
        "streaming",
        "tool_search",
    )

    def __init__(
        self,
        agent: str,
        session: MutableMapping[str, Json],
        emit: Callable[[Event], None] = discard,
        *,
        path: tuple[str, ...] = (),
        local: dict[str, Json] | None = None,
        streaming: bool = False,
        canceller: Canceller | None = None,
        nested: bool = False,
        forwards: bool = False,
        context: Mapping[str, Json] | None = None,
    ) -> None:
        self.agent = agent
        self.path = (*path, agent)
        self.session = session
        self.local = {} if local is None else local
        self.streaming = streaming
        self.emit = emit
        self.canceller = canceller
        self.nested = nested
        self.forwards = forwards  # whether events of sub-agents are events of this run, too
        self.context: Mapping[str, Json] = {} if context is None else context
        self.named: dict[str, object] = {}  # whose a middleware's name is, so that nobody else goes by it
        self.iteration = 0  # the model calls that were made, or jumped over
        self.model: Any = None  # the backup that answered last, of whatever message type (FAILOVER-09)
        self.event_streams: list[EventStream[Any]] = []  # by the model call in progress; how they end may be undecided
        self.tool_search: ToolInfo | None = None
        self.conversation: Sequence[AnyMessage] = ()  # as the tools find it: the answer that asked for them last


current_run: ContextVar[Run | None] = ContextVar("current_run", default=None)


def _here() -> Run:
    run = current_run.get()
    if run is None:
        raise OutsideRunError("run-local values, session values and events exist only while an agent runs")
    return run


def set_run_local_value(key: str, value: Json) -> None:
    """Keep a value until the current run of this agent ends, across interrupt and resume.

    Other runs do not see it, nor do sub-agents. Raises `OutsideRunError` outside a run, and `UnregisteredTypeError`
    for a value that is neither JSON nor of a registered type.
    """
    local = _here().local
    packed(value)
    local[key] = value


def get_run_local_value(key: str) -> tuple[Json, bool]:
    """Return the value and True, or None and False when the current run has none under this key.

    Raises `OutsideRunError` outside a run.
    """
    local = _here().local
    return local.get(key), key in local


def delete_run_local_value(key: str) -> None:
    """Forget the value, if there is one. Raises `OutsideRunError` outside a run."""
    _here().local.pop(key, None)


def set_session_value(key: str, value: Json) -> None:
    """Set a value that the caller, this agent and its sub-agents share (CTX-08). Raises `OutsideRunError` outside."""
    _here().session[key] = value


def get_session_value(key: str) -> tuple[Json, bool]:
    """Return the value and True, or None and False when the session has none. Raises `OutsideRunError` outside."""
    session = _here().session
    return session.get(key), key in session


def send_event(payload: Json) -> None:
    """Put a custom event into the current run's event stream. Raises `OutsideRunError` outside a run."""
    run = _here()
    run.emit(CustomEvent(run.agent, run.path, payload))


def jump_to(target: Target) -> None:
    """Say where the current run goes once the present step is done; of several jumps, one to the end wins.

    "end": no further model or tool call; calls of tools that are going on run to their end. "tools": the calls the
    last message asks for, without a model call. "model": the model, without those calls. Raises `OutsideRunError`
    outside a run, and `ValueError` for a target that is none (XP-JUMP-01).
    """
    local = _here().local
    if target not in get_args(Target):
        raise ValueError(f"a run cannot jump to {target!r}: choose one of {', '.join(get_args(Target))}")
    if local.get(_JUMP) != "end":
        local[_JUMP] = target


def taken_jump(run: Run) -> Target | None:
    """Where the run shall go, if somebody has said so; it is said once."""
    jump: Target | None = run.local.pop(_JUMP, None)
    return jump


def jump_over_model(run: Run) -> Target | None:
    """Where the run was told to go instead of to the model. A jump to the model is what happens anyway."""
    jump: Target | None = run.local.get(_JUMP)
    if jump != "model":
        return jump
    taken_jump(run)
    return None
