"""What an action declares of itself: where it is allowed, what it needs and changes, and how features say it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import ClassVar, Literal

from .capabilities import Capability
from .values import Value

Hook = Literal["before agent", "before model", "around model", "after model", "around tool", "after agent"]
# Where an action can stand: in a hook, or in the body of a tool.
Place = Hook | Literal["tool"]

# The hooks that return a conversation; the wrappers do not.
STATE: tuple[Hook, ...] = ("before agent", "before model", "after model", "after agent")
START: tuple[Hook, ...] = ("before agent",)
MODEL: tuple[Hook, ...] = ("around model",)
TOOL: tuple[Hook, ...] = ("around tool",)
AROUND = (*MODEL, *TOOL)
HOOKS = (*STATE, *AROUND)

# What an action can change.
Effect = Literal[
    "conversation",  # the messages of the run
    "results",  # which result follows which tool call
    "request",  # one request to a model, or the arguments of one tool call
    "answer",  # the answer of a call, or how often the inner endpoint is called
    "tools",  # the tools that the model receives
    "agent",  # what the run begins with
    "state",  # the state of a middleware
    "course",  # whether the run ends, or reaches its model and its tools
]


@dataclass(frozen=True)
class Hole:
    """A hole of a sentence in a field: the value that its text stands for, or the text as it is, if `raw`."""

    name: str
    raw: bool = False


@dataclass(frozen=True)
class Sentence:
    """How an action reads, with holes, and what its fields then hold: `{name}` in a text is the text of a hole.

    A hole that is in no field fills the field of its name. `meaning` is empty for that of the action. `places` are
    those of the action, unless they are fewer.
    """

    text: str
    meaning: str
    places: tuple[Place, ...] | None
    fields: Mapping[str, object]


def says(text: str, meaning: str = "", /, places: tuple[Place, ...] | None = None, **fields: object) -> Sentence:
    """A sentence of an action."""
    return Sentence(text, meaning, places, fields)


def _tag(name: str) -> str:
    """`SetReturnDirectly` is "set return directly" in a scene."""
    return re.sub(r"(?<=.)([A-Z])", r" \1", name).lower()


class ActionKind(Value, frozen=True, tag=_tag, tag_field="do"):
    """The base of all actions. The first line of an action's docstring is its meaning in the phrasebook.

    `places` is empty for an action that is allowed everywhere. `in_middleware`: the action needs only a conversation,
    so that the role `middleware` can perform it.
    """

    places: ClassVar[tuple[Place, ...]] = ()
    needs: ClassVar[tuple[Capability, ...]] = ()
    effects: ClassVar[Set[Effect]] = frozenset()
    in_middleware: ClassVar[bool] = False
    sentences: ClassVar[tuple[Sentence, ...]] = ()

    @classmethod
    def meaning(cls) -> str:
        """What the action does."""
        return (inspect.getdoc(cls) or "").partition("\n")[0]
