"""The envelope of every message: JSON-RPC 2.0, one message per line."""

from __future__ import annotations

from functools import cache
from typing import TypeVar

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from ..contract.values import Json, Value

R = TypeVar("R", bound=Value)

UNKNOWN_METHOD, BAD_PARAMS, BROKEN, BAD_VERSION, CASE_OVER = -32601, -32602, -32603, -32010, -32011

# What decoding raises for bytes that are not JSON, not UTF-8, or nested too deeply.
UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class RpcError(Struct, frozen=True):
    """An error of JSON-RPC: the harness or the adapter is broken."""

    code: int
    message: str = ""
    data: Json = None


class Line(Struct, frozen=True):
    """A received message: a request, a notification, or an answer."""

    id: str | int | None = None
    method: str | None = None
    params: Raw = Raw(b"{}")
    result: Raw | UnsetType = UNSET
    error: RpcError | None = None


line_decoder = msgspec.json.Decoder(Line)
encode = msgspec.json.Encoder().encode


@cache
def decoder(kind: type[R]) -> msgspec.json.Decoder[R]:
    """The decoder of a type of params or results, cached."""
    return msgspec.json.Decoder(kind)


def decoded(raw: Raw | UnsetType, kind: type[R]) -> R:
    """Decode params or a result as their type. Raises `msgspec.ValidationError`."""
    given: bytes | Raw = b"{}" if isinstance(raw, UnsetType) or bytes(raw) == b"null" else raw
    try:
        result: R = decoder(kind).decode(given)
    except msgspec.ValidationError:
        raise
    except UNREADABLE as error:  # in what the line decoder has passed over
        raise msgspec.ValidationError(str(error)) from None
    return result


def request(id_: str, method: str, params: Value) -> bytes:
    """The line of a request."""
    return f'{{"jsonrpc":"2.0","id":"{id_}","method":"{method}","params":'.encode() + encode(params) + b"}"


def notification(method: str, params: Value) -> bytes:
    """The line of a notification."""
    return f'{{"jsonrpc":"2.0","method":"{method}","params":'.encode() + encode(params) + b"}"


def reply(id_: str | int | None, result: Value) -> bytes:
    """The line of an answer."""
    return b'{"jsonrpc":"2.0","id":' + encode(id_) + b',"result":' + encode(result) + b"}"


def refusal(id_: str | int | None, code: int, why: str) -> bytes:
    """The line of an answer that is an error of JSON-RPC."""
    return b'{"jsonrpc":"2.0","id":' + encode(id_) + b',"error":' + encode({"code": code, "message": why}) + b"}"
