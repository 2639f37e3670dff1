"""The requests of the harness during a call of the adapter's, for the thread or task that waits for the call."""

from __future__ import annotations

from msgspec import field

from ...contract.calls import ModelRequest, ToolAnswer, ToolRequest
from ...contract.values import Json, Message, Value
from .from_harness import CaseMessage, Outcome


class NestedRequest(CaseMessage, frozen=True, kw_only=True):
    """A nested request. `in` is the scope to act in: the id of the adapter's own request that is unanswered.

    Without `in`, an action that belongs inside runs is tried outside any run.
    """

    scope: str | None = field(default=None, name="in")


class Next(NestedRequest, frozen=True, kw_only=True):
    """Calls the inner endpoint from the around-hook `in`, with this request. Add the values of `ctx` to the context.

    The request is `model` or `tool`, whichever the hook wraps. `invalid`: pass on a value of a type that no hook may
    pass on.
    """

    model: ModelRequest | None = None
    tool: ToolRequest | None = None
    invalid: bool = False
    ctx: dict[str, Json] = {}


class NextReply(Outcome, frozen=True, kw_only=True):
    """The inner endpoint has begun to answer, or has failed before. A scope numbers its outcomes from 0."""


class ReadOutcome(NestedRequest, frozen=True, kw_only=True):
    """Reads the outcome of this number to its end."""

    outcome: int


class OutcomeReply(Outcome, frozen=True, kw_only=True):
    """The whole outcome: a `message` of a model or an `answer` of a tool; or the `error` that broke it."""

    message: Message | None = None
    answer: ToolAnswer | None = None


class RunValue(Value, frozen=True, kw_only=True):
    """A run-local or session value: a JSON `value`, or a value of a type of the adapter's own.

    `registered`: a value that holds this number, of a type that the adapter has registered with the implementation.
    `unregistered`: a value of a type that the adapter has not registered.
    """

    value: Json = None
    registered: int | None = None
    unregistered: bool = False


class SetValue(NestedRequest, frozen=True, kw_only=True):
    """Sets a run-local value, a session value, or a value of the runtime context, under this key."""

    key: str
    value: RunValue = RunValue()


class KeyRequest(NestedRequest, frozen=True, kw_only=True):
    """Reads a run-local or session value, or deletes a run-local value."""

    key: str


class Found(Outcome, frozen=True, kw_only=True):
    """Whether a value was found, and the value."""

    found: bool = False
    value: RunValue = RunValue()


class SendEvent(NestedRequest, frozen=True, kw_only=True):
    """Emits a custom event with this payload into the run's stream."""

    payload: Json = None
