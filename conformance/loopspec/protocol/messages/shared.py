"""What both sides say."""

from __future__ import annotations

from typing import Literal

from ...contract.values import Error, Value

Waited = Literal["cancelled", "ended", "timed out"]


class Nothing(Value, frozen=True, kw_only=True):
    """Nothing to say: `{}`."""


class FileData(Value, frozen=True, kw_only=True):
    """The content of a file: `text`, or `base64` where it is no UTF-8."""

    text: str | None = None
    base64: bytes | None = None


class FileReply(FileData, frozen=True, kw_only=True):
    """What reading a file came to.

    `nothing`: it succeeded without any content object. `wrapped`: the error is inside another one, as its cause. With
    an error, there may be content all the same: a backend that fails and answers in one. `cancelled`: the call was
    taken back by `$/cancel`; raise a cancellation.
    """

    nothing: bool = False
    error: Error | None = None
    wrapped: bool = False
    cancelled: bool = False


class CancelCall(Value, frozen=True, kw_only=True):
    """Whoever asked the request `id` has no use for its answer any more.

    From an adapter: the implementation has cancelled the call. It is answered all the same: with `cancelled`, or with
    what a call came to that does not let itself be cancelled. From the harness: the deadline has passed; an answer
    that comes all the same is not looked at.
    """

    id: str
