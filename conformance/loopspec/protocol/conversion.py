"""Conversion of errors, contents of files and run-local values between Python and the wire."""

from __future__ import annotations

from functools import cache
from pathlib import PurePath

from msgspec import Raw
from msgspec.json import encode
from msgspec.structs import fields, replace

from ..contract.agents import Agent, Plugin
from ..contract.doubles import RegisteredValue, ScriptedCrash, ScriptedError, UnregisteredValue
from ..contract.errors import NUMBERS, Reported, inside_others
from ..contract.plugins import Module
from ..contract.values import Error, FileData, Value, default_of
from . import messages as m


def failed(error: Error) -> Exception:
    """The exception of an error message."""
    if error.kind == "scripted":
        return ScriptedError(error.code or "")
    if error.kind == "crash":
        return ScriptedCrash(error.code or "")
    if (number := NUMBERS.get(error.kind)) is not None:
        of_number = type(OSError(number, ""))
        known = of_number(error.message)  # the whole message of the other side
        known.errno = number
        return known
    return Reported(error)


def read_content(reply: m.FileReply) -> str | bytes | None:
    """The content in a reply. Raises the error of the read: content that comes with it is its attribute `content`."""
    if reply.error is None:
        return None if reply.nothing else reply.base64 if reply.base64 is not None else reply.text or ""
    error = failed(reply.error)
    if reply.wrapped:
        error = inside_others(error, reply.error.message)
    if content := reply.base64 or (reply.text or "").encode():
        vars(error)["content"] = content
    raise error


def file_reply(data: str | bytes | None) -> m.FileReply:
    """The content that a backend has returned as a message: text stays text, and bytes stay bytes."""
    if data is None:
        return m.FileReply(nothing=True)
    return m.FileReply(base64=data) if isinstance(data, bytes) else m.FileReply(text=data)


def failed_read(error: Exception, described: Error) -> m.FileReply:
    """A failed read as a message, with the content that a backend returned at once."""
    content: str | bytes | None = getattr(error, "content", None)
    reply = file_reply(content) if content is not None else m.FileReply()
    return replace(reply, error=described, wrapped=error.__cause__ is not None)


def as_sent(value: object) -> object:
    """An argument as an adapter receives it: an agent, a middleware or modules without scripts.

    A field is left out only where its default is empty, off or none, so that an adapter needs no other defaults. The
    content of a stored file is text where it is UTF-8.
    """
    match value:
        case Agent() | Plugin():
            return Raw(encode(_written(value.seen())))
        case tuple() if value and isinstance(value[0], Module):
            return Raw(encode([_written(one.seen()) for one in value]))
        case bytes():
            try:
                return FileData(text=value.decode())
            except UnicodeDecodeError:
                return FileData(base64=value)
        case dict():
            return {key: as_sent(one) for key, one in value.items()}
        case PurePath():
            return str(value)
    return value


def as_received(value: object) -> object:
    """An argument as the function of an adapter takes it: the contents of files are bytes."""
    match value:
        case FileData():
            return value.data
        case dict():
            return {key: as_received(one) for key, one in value.items()}
    return value


def _written(value: object) -> object:
    match value:
        case Value():
            config = value.__struct_config__
            written: dict[str, object] = {} if config.tag is None else {str(config.tag_field): config.tag}
            for name, key, default in _fields(type(value)):
                if (field := getattr(value, name)) or field != default:
                    written[key] = _written(field)
            return written
        case tuple():
            return [_written(one) for one in value]
    return value


@cache
def _fields(kind: type[Value]) -> tuple[tuple[str, str, object], ...]:
    """The fields that an adapter sees: name, name on the wire, and default."""
    return tuple((one.name, one.encode_name, default_of(one)) for one in fields(kind) if one.name not in kind.scripted)


def encode_value(value: object) -> m.RunValue:
    """A run-local or session value as a message."""
    match value:
        case RegisteredValue():
            return m.RunValue(registered=value.number)
        case UnregisteredValue():
            return m.RunValue(unregistered=True)
    return m.RunValue(value=value)


def decode_value(sent: m.RunValue) -> object:
    """The value of a message."""
    if sent.registered is not None:
        return RegisteredValue(number=sent.registered)
    return UnregisteredValue() if sent.unregistered else sent.value
