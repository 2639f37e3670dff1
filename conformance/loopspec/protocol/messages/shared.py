"""The messages that both sides send, and the parts that both sides use."""

from __future__ import annotations

from typing import Literal

from ...contract.values import Error, Value

Waited = Literal["cancelled", "ended", "timed out"]


class Empty(Value, frozen=True, kw_only=True):
    """An empty object: `{}`."""


class FileData(Value, frozen=True, kw_only=True):
    """The content of a file: `text`, or bytes as `base64`."""

    text: str | None = None
    base64: bytes | None = None


class FileReply(FileData, frozen=True, kw_only=True):
    """The outcome of reading a file.

    The harness returns content of an odd number of bytes, and content that is not UTF-8, as `base64`; other content as
    `text`. `nothing`: the read succeeded without any content object. `wrapped`: the error is inside another error, as
    its cause. An error may come with content: such a backend fails and returns content at once. `cancelled`:
    `$/cancel` has cancelled the call; raise a cancellation.
    """

    nothing: bool = False
    error: Error | None = None
    wrapped: bool = False
    cancelled: bool = False


class CancelCall(Value, frozen=True, kw_only=True):
    """The sender no longer needs the answer to its request `id`.

    From an adapter: the implementation has cancelled the call. The harness still answers: with `cancelled`, or with the
    outcome of a call that cannot be cancelled. From the harness: the deadline has passed; a later answer is ignored.
    """

    id: str
