"""The picture of a cancelled run: from the request to one of the ways in which the run can end."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from .canvas import LINE, Canvas
from .figure import Claim, Figure

End = Literal["", "cancelled", "answer", "error"]


class State(Struct, frozen=True):
    """A state of a run with a request to cancel. `end` is how every run ends that reaches a last state."""

    label: str
    notes: tuple[str, ...]
    text: str
    rules: tuple[str, ...]
    end: End = ""


RUNS = State(
    "The run is in progress",
    (),
    "A request can come before the run, during the run or after the run. A request before the run counts from the "
    "beginning of the run. A request after the end does not count.",
    ("CANCEL-09", "CANCEL-10", "CANCEL-20"),
)
WAITS = State(
    "Waits for a safe point",
    ("after the model call,", "after the tool calls,", "or the first of both"),
    "The run continues to the safe point that the request names. A request that names both stops the run at the first "
    "point that is reached. A second request adds its points.",
    ("CANCEL-01", "CANCEL-03", "CANCEL-05", "CANCEL-06", "CANCEL-11", "CANCEL-21"),
)
AT_ONCE = State(
    "Immediate stop",
    ("also after a timeout", "or a second request"),
    "The run does not wait for the calls in progress, and an open stream ends with an error. A request with a "
    "timeout, or a second request, ends the wait for a safe point.",
    ("CANCEL-07", "CANCEL-08", "CANCEL-11", "CANCEL-12"),
)
CANCELLED = State(
    "Cancelled",
    ("the last event is the", "cancellation error"),
    "The last event of the run is the cancellation error, which names the requested points.",
    ("CANCEL-19",),
    "cancelled",
)
RESUMED = State(
    "Resumed",
    ("from the checkpoint",),
    "A resumption continues where the run stopped. Only the calls that were cut off are repeated.",
    ("CANCEL-13",),
)
ANSWERS = State(
    "Answer",
    ("comes first",),
    "A final answer that comes before the safe point ends the run as if there were no request.",
    ("CANCEL-02", "CANCEL-04"),
    "answer",
)
FAILS = State(
    "Failed",
    ("comes first",),
    "A run that fails before it reaches its safe point fails with its own error.",
    ("CANCEL-14",),
    "error",
)
STATES = (RUNS, WAITS, AT_ONCE, CANCELLED, RESUMED, ANSWERS, FAILS)
_ALSO = (
    Claim(
        "Sub-agents",
        "The safe points of sub-agents count only if the request says so.",
        ("CANCEL-16",),
    ),
    Claim(
        "The wait of the caller",
        "A caller that waits for a cancellation waits until the run has stopped.",
        ("CANCEL-18",),
    ),
)
_SUMMARY = (
    "A cancel request either stops the run immediately or names safe points. A run that waits for a safe point "
    "ends in one of four ways: the point is reached; the wait ends early and the run stops immediately; the "
    "run ends with its answer first; or the run fails first. A cancelled run can be resumed."
)


def figure() -> Figure:
    """Draw the states of a cancelled run."""
    return Figure(
        name="cancel",
        title="The states of a cancelled run",
        summary=_SUMMARY,
        areas=("CANCEL",),
        claims=(*(Claim(state.label, state.text, state.rules) for state in STATES), *_ALSO),
        canvas=_drawing(),
    )


def _drawing() -> Canvas:
    canvas = Canvas(460)
    _state(canvas, RUNS, 8, 8, 324)
    canvas.words(34, 59, "stops immediately", "quiet")
    canvas.words(200, 59, "names a safe point", "quiet")
    canvas.arrow((26, 44), (26, 202))
    canvas.arrow((192, 44), (192, 74))
    _state(canvas, WAITS, 48, 74, 284)
    canvas.arrow((110, 164), (110, 202))
    canvas.words(118, 183, "cut short", "quiet")
    _state(canvas, AT_ONCE, 8, 202, 182)
    canvas.arrow((97, 274), (97, 302))
    _state(canvas, CANCELLED, 8, 302, 174, "end")
    canvas.arrow((81, 374), (81, 398))
    _state(canvas, RESUMED, 8, 398, 178)
    canvas.arrow((193, 164), (193, 338), (184, 338))
    canvas.arrow((202, 164), (202, 296), (214, 296))
    canvas.arrow((202, 220), (202, 230), (214, 230))
    _state(canvas, ANSWERS, 214, 202, 124, "end")
    _state(canvas, FAILS, 214, 268, 124, "end")
    return canvas


def _state(canvas: Canvas, state: State, x: float, y: float, width: float, kind: str = "step") -> None:
    canvas.box(x, y, width, 18 + LINE * (1 + len(state.notes)), kind)
    canvas.mark(x + 18, y + 18, str(STATES.index(state) + 1))
    canvas.words(x + 34, y + 18, state.label, "strong")
    canvas.lines(x + 34, y + 18 + LINE, state.notes, "quiet")
