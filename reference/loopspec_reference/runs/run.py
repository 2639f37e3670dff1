"""One run of one agent, and the functions that handlers and tools call within a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Literal, get_args

from ..values.errors import OutsideRunError
from ..values.events import CustomEvent, Event
from ..values.messages import AnyMessage, Json
from .run_values import packed

if TYPE_CHECKING:
    from ..calls.outputs import EventStream
    from ..calls.replays import Replay
    from ..tools.kinds import Resumed, ToolInfo
    from .cancels import Canceller
    from .checkpoints import InterruptedHook


Target = Literal["model", "tools", "end"]

_JUMP = "__jump__"  # a requested jump is a run-local value until the step ends, so that a checkpoint holds it


def discard(event: Event) -> None:
    """Drop an event: the default of a run whose events have no reader."""


class Run:
    """The state of one run of one agent.

    `local` holds the run-local values, which a checkpoint can hold. `session` is the caller's own mapping; the runs of
    sub-agents share it, but not `local`. `path` names the agents down to this one. `context` is the caller's data for
    hooks; a checkpoint does not hold it (XP-CTX-02).
    """

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
        self.forwards = forwards  # whether the events of sub-agents are events of this run as well
        self.context: Mapping[str, Json] = {} if context is None else context
        self.answer_at = -1  # the place of the final answer among the messages
        self.named: dict[str, object] = {}  # the owner of each middleware name: a name is used once in a run
        self.iteration = 0  # the model calls made or jumped over
        self.model: Any = None  # the backup model that answered last, of either message type (FAILOVER-09)
        self.event_streams: list[EventStream[Any]] = []  # of the current model call; their ends may be undecided
        self.tool_search: ToolInfo | None = None
        self.alone: AbstractAsyncContextManager[None] = nullcontext()  # holds the conversation of the run
        self.keep: Callable[[Sequence[Any]], None] | None = None  # Any: messages of either type
        self.save: Callable[[bytes], None] | None = None  # takes each checkpoint of the run
        self.replays: dict[int, Replay] = {}  # of the tool calls under way that were interrupted, by their places
        self.resumed_hook: tuple[InterruptedHook, Resumed] | None = None  # of the model call under way
        self.conversation: Sequence[AnyMessage] = ()  # for tools: its last message is the answer that calls them


current_run: ContextVar[Run | None] = ContextVar("current_run", default=None)
# What takes the checkpoints of a sub-agent during the tool call that runs it.
save_of_call: ContextVar[Callable[[bytes], None] | None] = ContextVar("save_of_call", default=None)


def active_run() -> Run:
    """Return the run of the current task. Raises `OutsideRunError` outside a run."""
    run = current_run.get()
    if run is None:
        raise OutsideRunError("run-local values, session values and events exist only while an agent runs")
    return run


def set_run_local_value(key: str, value: Json) -> None:
    """Keep a value until the current run of this agent ends, across interrupt and resume.

    Other runs and sub-agents do not see the value. Raises `OutsideRunError` outside a run, and `UnregisteredTypeError`
    for a value that is neither JSON nor of a registered type.
    """
    local = active_run().local
    packed(value)
    local[key] = value


def get_run_local_value(key: str) -> tuple[Json, bool]:
    """Return the value and True, or None and False if the current run has no value under this key.

    Raises `OutsideRunError` outside a run.
    """
    local = active_run().local
    return local.get(key), key in local


def delete_run_local_value(key: str) -> None:
    """Delete the value, if there is one. Raises `OutsideRunError` outside a run."""
    active_run().local.pop(key, None)


def set_session_value(key: str, value: Json) -> None:
    """Set a value that the caller, this agent and its sub-agents share (CTX-08).

    Raises `OutsideRunError` outside a run.
    """
    active_run().session[key] = value


def get_session_value(key: str) -> tuple[Json, bool]:
    """Return the value and True, or None and False if the session has no value under this key.

    Raises `OutsideRunError` outside a run.
    """
    session = active_run().session
    return session.get(key), key in session


def send_event(payload: Json) -> None:
    """Emit a custom event in the current run. Raises `OutsideRunError` outside a run."""
    run = active_run()
    run.emit(CustomEvent(run.agent, run.path, payload))


def jump_to(target: Target) -> None:
    """Request where the current run continues after the current step. Of several jumps, a jump to the end wins.

    "end": no further model or tool call; tool calls under way complete. "tools": the tool calls of the last message,
    without a model call. "model": the model call, without the tool calls. Raises `OutsideRunError` outside a run, and
    `ValueError` for an unknown target (XP-JUMP-01).
    """
    local = active_run().local
    if target not in get_args(Target):
        raise ValueError(f"a run cannot jump to {target!r}: choose one of {', '.join(get_args(Target))}")
    if local.get(_JUMP) != "end":
        local[_JUMP] = target


def taken_jump(run: Run) -> Target | None:
    """Return the requested jump, if any, and delete the request."""
    jump: Target | None = run.local.pop(_JUMP, None)
    return jump


def jump_over_model(run: Run) -> Target | None:
    """Return the requested jump that replaces the model call. A jump to the model needs no jump and is deleted."""
    jump: Target | None = run.local.get(_JUMP)
    if jump != "model":
        return jump
    taken_jump(run)
    return None
