"""Why a case is not judged on a target, as data: its sentence is made where it is printed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import Struct

Kind = Literal[
    "role",  # the target has none of the case's roles; `names`: the roles
    "other-role",  # the run is about a role that the case is not for; `names`: that role
    "capability",  # `names`: the capabilities that the target lacks
    "posture",  # the case presupposes another value; `names`: the axis and the target's own value
    "dialect",  # likewise, on an axis of instruction files
    "place",  # the dialect has no place for a file of the workspace; `names`: what the dialect lacks
    "privileges",  # this user can read every file
    "plain-case",  # a variant is judged where its plain case passes
    "control",  # a handler is judged where a handler that does nothing passes
    "own-scene",  # the scene itself breaks the invariant
    "in-turn",  # the calls are made in turn
    "alone",  # no calls could be concurrent
    "open",  # the outcome differs in what rules leave open; `names`: these rules
    "sections",  # the target's instructions have no form in which a file's content can be taken out
]

_SENTENCES: Mapping[Kind, Callable[[tuple[str, ...]], str]] = {
    "role": lambda names: f"needs the role {' or '.join(names)}",
    "other-role": lambda names: f"is not for the role {names[0]}",
    "capability": lambda names: f"needs {', '.join(names)}",
    "posture": lambda names: f"another posture: {' is '.join(names)}",
    "dialect": lambda names: f"another value in the target's dialect: {' is '.join(names)}",
    "place": lambda names: f"the dialect {names[0]}",
    "privileges": lambda _: "needs a user without access to every file",
    "plain-case": lambda _: "needs a plain case that passes",
    "control": lambda _: "needs a case that passes with a handler that does nothing",
    "own-scene": lambda _: "needs a scene that does not break the invariant itself",
    "in-turn": lambda _: "makes these calls in turn",
    "alone": lambda _: "makes no calls that could be concurrent",
    "open": lambda names: f"differs in what is left open by {' and '.join(names)}",
    "sections": lambda _: "needs instructions in which the content of a file follows its path",
}


class Inapplicable(Struct, frozen=True):
    """Why a case is inapplicable: the kind of the reason, and its names, as `Kind` describes them."""

    kind: Kind
    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        return _SENTENCES[self.kind](self.names)
