"""What the harness asks during a call of the adapter's, on the thread or task that waits for it."""

from __future__ import annotations

from msgspec import field

from ...contract.calls import ModelRequest, ToolAnswer, ToolRequest
from ...contract.values import Json, Message, Value
from .from_harness import OfCase, Outcome


class Within(OfCase, frozen=True, kw_only=True):
    """What every nested request says: `in` is the id of the adapter's own unanswered request, the scope to act in.

    Without it, something that is for the inside of runs is tried outside any.
    """

    scope: str | None = field(default=None, name="in")


class Next(Within, frozen=True, kw_only=True):
    """Calls further in, from the around-hook `in`: with this request, and the values `ctx` added to the bag.

    Of `model` and `tool` there is the one that the hook is about; or `junk`: hand on something of a type that no hook
    may hand on.
    """

    model: ModelRequest | None = None
    tool: ToolRequest | None = None
    invalid: bool = False
    ctx: dict[str, Json] = {}


class Begun(Outcome, frozen=True, kw_only=True):
    """The call further in has begun to answer, or failed before. Outcomes are numbered from 0 within their scope."""


class WholeOf(Within, frozen=True, kw_only=True):
    """Wants all of the outcome of this number."""

    outcome: int


class Whole(Outcome, frozen=True, kw_only=True):
    """All of it: a `message` of a model's or an `answer` of a tool's; or, as `error`, what broke it."""

    message: Message | None = None
    answer: ToolAnswer | None = None


class Something(Value, frozen=True, kw_only=True):
    """A JSON `value`; or one of a type of the adapter's own.

    Of the type of a `ticket`, which holds a number, the implementation is told beforehand; of that of a `stranger` it
    is not.
    """

    value: Json = None
    ticket: int | None = None
    stranger: bool = False


class SetValue(Within, frozen=True, kw_only=True):
    """Sets a run-local value, a session value, or a value of the runtime context, under this key."""

    key: str
    value: Something = Something()


class OfKey(Within, frozen=True, kw_only=True):
    """Reads a run-local or session value, or forgets a run-local one."""

    key: str


class Found(Outcome, frozen=True, kw_only=True):
    """Whether there is something, and what."""

    found: bool = False
    value: Something = Something()


class SendEvent(Within, frozen=True, kw_only=True):
    """Puts an event into the run's stream that has this payload."""

    payload: Json = None
