"""Variants about the type of messages and the mode of runs."""

from __future__ import annotations

from msgspec.structs import replace

from loopspec.contract.agents import Turn
from loopspec.contract.scene import Scene

from .facts import Facts, mapped
from .restoring import with_whole_messages
from .variant import Variant, Varied

_WHOLE = "The rule is about the whole messages of a synchronous run: a streaming run emits chunks before."
_MODE = "The example states the mode of a synchronous run itself."
_EXEMPT = {
    "POSTURE-18 :: *": _WHOLE,
    "POSTURE-19 :: *": _WHOLE,
    "TOOLS-03 :: *, in a synchronous run": _MODE,
    "INTERRUPT-07 :: A synchronous run is resumed": _MODE,
    "AGENTTOOL-05 :: A call of a sub-agent, in a synchronous run": _MODE,
    "ORDER-MODEL-07 :: A wrapper that calls the model twice": "The end callback comes after the stream has been read.",
}


def _is_synchronous(facts: Facts) -> bool:
    return facts.is_run and not any(run.streaming for run in facts.scene.runs)


def _in_chunks(turn: Turn) -> Turn:
    """The turn in three chunks: a word, a blank and the others, or a text and two empty ones, if a cell holds them."""
    whole = not (turn.chunks or turn.error or turn.crash or turn.nothing or turn.extras)
    is_written = turn.text.isprintable() and turn.text == turn.text.strip() and not {"/", "\\"} & {*turn.text}
    return replace(turn, chunks=turn.text.partition(" ")) if whole and is_written else turn


def _streaming(scene: Scene) -> Varied:
    runs = tuple(replace(run, streaming=True) for run in scene.runs)
    chunked = scene if scene.files else mapped(scene, (Turn,), _in_chunks)  # the sentences about files have no chunks
    return Varied(replace(chunked, runs=runs), (with_whole_messages,))


VARIANTS = (
    Variant(
        "agentic",
        lambda facts: facts.is_run and facts.scene.message_type == "message",
        lambda scene: Varied(replace(scene, message_type="agentic")),
        needs=frozenset({"agentic-messages"}),
    ),
    Variant("streaming", _is_synchronous, _streaming, needs=frozenset({"streaming"}), exempt=_EXEMPT),
)
