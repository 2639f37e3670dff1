"""The picture of one turn of the loop."""

from __future__ import annotations

from itertools import pairwise
from typing import Literal

from msgspec import Struct

from .canvas import LINE, WIDTH, Canvas
from .figure import Claim, Figure

_SUMMARY = (
    "The caller's input passes the before-agent hooks. The loop then runs the before-model hooks, the model call and "
    "the after-model hooks. If the answer calls tools, the loop makes the calls, appends their results and "
    "starts again at the before-model hooks. Otherwise the answer is final: the after-agent hooks run, and the run "
    "ends."
)


class Place(Struct, frozen=True):
    """A place that a run passes: what the picture writes there, its claim, and what a run does there.

    `hook` is the hook that handlers have there; `event` is the event that the run emits there.
    """

    label: str
    note: str
    text: str
    rules: tuple[str, ...]
    hook: Literal["", "before agent", "before model", "after model", "after agent"] = ""
    event: Literal["", "answer", "result"] = ""
    event_note: str = ""


BEFORE = (
    Place(
        "Input",
        "the messages of the caller",
        "A run starts with the caller's messages. The instruction of the agent becomes the system message "
        "that precedes them.",
        ("INSTR-01", "HOOK-BA-05"),
    ),
    Place(
        "Before-agent hooks",
        "once in a run",
        "The before-agent hooks run once, before anything else, and can change the instruction and the tools.",
        ("HOOK-BA-02", "HOOK-BA-03", "HOOK-BA-04"),
        hook="before agent",
    ),
)
TURN = (
    Place(
        "Before-model hooks",
        "before each model call",
        "The before-model hooks can change the conversation and the list of tools before each model call.",
        ("HOOK-BM-02", "HOOK-BM-03"),
        hook="before model",
    ),
    Place(
        "Model call",
        "inside the model wrappers",
        "The model receives the conversation and the tools. The run emits one event for the answer, as the wrappers "
        "return it.",
        ("LOOP-05", "EVENT-01", "EVENT-06", "ORDER-MODEL-05"),
        event="answer",
        event_note="event: the answer",
    ),
    Place(
        "After-model hooks",
        "the answer is the last message",
        "The after-model hooks run after each model call and can change the answer. The last message that they leave "
        "decides how the run continues.",
        ("HOOK-AM-02", "HOOK-AM-03"),
        hook="after model",
    ),
    Place(
        "Does the answer call tools?",
        "",
        "An answer without tool calls is the final answer. An answer with tool calls continues the loop.",
        ("LOOP-01", "LOOP-02"),
    ),
    Place(
        "Tool calls",
        "each inside the tool wrappers",
        "All calls of the answer run before the next model call. The run emits one event for each result. A tool "
        "that returns directly makes its result the final answer.",
        ("LOOP-06", "EVENT-01", "ORDER-TOOL-03", "RETDIR-01"),
        event="result",
        event_note="event: each result",
    ),
    Place(
        "Results appended",
        "to the conversation",
        "The results are appended to the conversation, and the next turn starts. A run that would need more model "
        "calls than its limit allows fails.",
        ("LOOP-03", "LOOP-05", "MAXITER-03"),
    ),
)
AFTER = (
    Place(
        "After-agent hooks",
        "once, after the final answer",
        "The after-agent hooks run once, after everything else, and cannot change the result. A failed run skips "
        "the after-agent hooks.",
        ("HOOK-AA-01", "HOOK-AA-03", "HOOK-AA-06"),
        hook="after agent",
    ),
    Place(
        "End of the run",
        "",
        "If the run fails, its last event is the error.",
        ("EVENT-16",),
    ),
)
PLACES = (*BEFORE, *TURN, *AFTER)

_LEFT, _BOX = 36, 266
_BACK, _OUT = 20, 322  # the lanes of the next turn, and of the final answer


def figure() -> Figure:
    """Draw the loop."""
    return Figure(
        name="loop",
        title="One turn of the loop",
        summary=_SUMMARY,
        areas=("LOOP", "EVENT"),
        claims=tuple(Claim(place.label, place.text, place.rules) for place in PLACES),
        canvas=_drawing(),
    )


def _height(place: Place) -> int:
    return 18 + LINE * (1 + bool(place.note) + bool(place.event_note)) + (4 if place.event_note else 0)


def _drawing() -> Canvas:
    gap, tops, y = 20, [], 8
    for place in PLACES:
        if place is TURN[0]:
            y += 14  # the frame
        if place is AFTER[0]:
            y += 42  # the title of the frame, and the frame
        tops.append(y)
        y += _height(place) + gap
    canvas = Canvas(y - gap + 8)
    top, turns = dict(zip(PLACES, tops, strict=True)), (tops[len(BEFORE)], tops[len(BEFORE) + len(TURN)])
    canvas.box(6, turns[0] - 16, WIDTH - 12, turns[1] - turns[0] - 6, "frame", 14)
    canvas.words(_LEFT - 8, turns[1] - 42, "repeats until an answer calls no tool", "quiet")
    for above, below in pairwise(PLACES):
        if below is not AFTER[0]:
            canvas.arrow((WIDTH / 2, top[above] + _height(above)), (WIDTH / 2, top[below]))
    for number, place in enumerate(PLACES, 1):
        _place(canvas, place, top[place], str(number))
    asks, last, ends = TURN[3], TURN[-1], AFTER[0]
    canvas.words(WIDTH / 2 + 8, top[asks] + _height(asks) + gap / 2, "yes", "quiet")
    middle = top[asks] + _height(asks) / 2
    canvas.words(_LEFT + _BOX + 3, middle - 12, "no", "quiet")
    into = top[ends] + _height(ends) / 2
    canvas.arrow((_LEFT + _BOX, middle), (_OUT, middle), (_OUT, into), (_LEFT + _BOX, into))
    first = top[TURN[0]] + _height(TURN[0]) / 2
    final = top[last] + _height(last) / 2
    canvas.arrow((_LEFT, final), (_BACK, final), (_BACK, first), (_LEFT, first))
    return canvas


def _place(canvas: Canvas, place: Place, y: float, number: str) -> None:
    kind = "question" if place.label.endswith("?") else "step" if place.hook else "call" if place.event else ""
    canvas.box(_LEFT, y, _BOX, _height(place), kind, 17 if kind == "question" else 8)
    middle = y + 18
    canvas.mark(_LEFT + 20, middle, number)
    canvas.words(_LEFT + 38, middle, place.label, "strong")
    if place.note:
        middle += LINE
        canvas.words(_LEFT + 38, middle, place.note, "quiet")
    if place.event_note:
        middle += LINE + 4
        canvas.box(_LEFT + 34, middle - 11, 9 * len(place.event_note) + 6, 22, "event", 11)
        canvas.words(_LEFT + 44, middle, place.event_note, "of-event")
