"""What a stored history says, in one form for all formats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct

from .values import Keys, Record

Kind = Literal["system", "user", "answer", "call", "result", "thought", "summary", "end"]
Status = Literal["", "done", "failed", "waits", "unsigned"]


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
    message: int = 0
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


class Format(Struct, frozen=True):
    """A form in which histories are stored. rules.toml has its document, its providers and what its tool repairs.

    `recognizes` says whether a record, or a message in it, has marks that only this format has; `accepts` whether
    messages without marks of any format can be in this one. `store` is for a format that is no JSON file: it returns
    None for a file or a folder that is not in the format.
    """

    name: str
    recognizes: Callable[[Record], bool]
    sessions: Callable[[Iterator[Record]], Iterator[Session]]
    accepts: Callable[[Sequence[Record]], bool] = lambda _: False
    store: Callable[[Path], Iterator[Session] | None] | None = None
