"""Why a case is not judged on a target, as data: its sentence is made where it is printed."""

from __future__ import annotations

from collections.abc import Mapping
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

_SENTENCES: Mapping[Kind, str] = {
    "role": "needs the role {}",
    "other-role": "is not for the role {}",
    "capability": "needs {}",
    "posture": "another posture: {}",
    "dialect": "another value in the target's dialect: {}",
    "place": "the dialect {}",
    "privileges": "needs a user without access to every file",
    "plain-case": "needs a plain case that passes",
    "control": "needs a case that passes with a handler that does nothing",
    "own-scene": "needs a scene that does not break the invariant itself",
    "in-turn": "makes these calls in turn",
    "alone": "makes no calls that could be concurrent",
    "open": "differs in what is left open by {}",
    "sections": "needs instructions in which the content of a file follows its path",
}
# What stands between the names.
_BETWEEN: Mapping[Kind, str] = {"role": " or ", "posture": " is ", "dialect": " is ", "open": " and "}


class Inapplicable(Struct, frozen=True):
    """Why a case is inapplicable: the kind of the reason, and its names, as `Kind` describes them."""

    kind: Kind
    names: tuple[str, ...] = ()

    @property
    def named(self) -> str:
        """The names as a part of a sentence."""
        return _BETWEEN.get(self.kind, ", ").join(self.names)

    def __str__(self) -> str:
        return _SENTENCES[self.kind].format(self.named)
