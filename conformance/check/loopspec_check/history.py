"""What a stored history says, in one form for all formats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

Keys = tuple[str | int, ...]
Kind = Literal["system", "user", "answer", "call", "result", "thought", "summary", "end"]
Status = Literal["", "done", "failed", "waits", "unsigned"]


class Record(Struct, frozen=True):
    """A JSON value of a file: the whole file, or one of its lines. `line` is counted from 1."""

    value: object
    line: int = 1


class Entry(Struct, frozen=True, kw_only=True):
    """One thing that a history says. Entries have the order in which the next request would have them.

    `message` counts the messages of the history from 1: an answer, its thoughts and its calls share a number, and so
    does all that one message of a user contains. `at` leads to the entry inside the JSON value of `line`.

    `id` and `name` are those of a call, also in its result; a result without an id belongs to the first call of its
    name without a result. `content` is the text of a message or a result (empty: the message contains nothing), and
    the decoded arguments of a call, or the text that is no JSON. `status` of a result says whether the tool failed, if
    the format says so; a call that `waits` is to be decided by a person; a thought is `unsigned` if its provider needs
    a signature and there is none. `run` is the run of the agent that wrote the entry, if the format has runs.
    """

    kind: Kind
    message: int
    line: int = 1
    at: Keys = ()
    id: str = ""
    name: str = ""
    content: object = ""
    status: Status = ""
    run: str = ""


class Session(Struct, frozen=True):
    """One conversation. `name` is empty if it is the whole file; `providers` are those that its requests go to."""

    entries: Iterable[Entry]
    name: str = ""
    providers: tuple[str, ...] = ()


class Format(Struct, frozen=True, kw_only=True):
    """A form in which histories are stored.

    `recognizes` gets the first values of a file, at most twenty. `providers` are those whose requests have this form;
    none: the format is for every provider. `document` describes the format. `repair` says what the tool that wrote a
    history sends for a call without a result, when it resumes the history. `store` is for a format that is no JSON
    file: it returns None for a file or a folder that is not in the format.
    """

    name: str
    title: str
    recognizes: Callable[[Sequence[object]], bool]
    sessions: Callable[[Iterator[Record]], Iterator[Session]]
    providers: tuple[str, ...] = ()
    document: str = ""
    repair: str = ""
    store: Callable[[Path], Iterator[Session] | None] | None = None


def mapping(value: object) -> Mapping[str, object]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> Sequence[object]:
    """The value if it is a list, else an empty one."""
    return value if isinstance(value, list) else ()


def text(value: object) -> str:
    """The value if it is a text, else an empty one."""
    return value if isinstance(value, str) else ""


def decoded(arguments: object) -> object:
    """The arguments of a call. A text is decoded if it is JSON, and nothing means no arguments."""
    if not isinstance(arguments, str):
        return {} if arguments is None else arguments
    try:
        return msgspec.json.decode(arguments) if arguments.strip() else {}
    except (msgspec.DecodeError, RecursionError):
        return arguments
