"""The picture of context values: which places of a run see a value that a hook or a wrapper sets."""

from __future__ import annotations

from msgspec import Struct

from .canvas import Canvas
from .figure import Cell, Claim, Figure, Table

# The places of a run with one tool call between two model calls, in order.
PLACES = (
    "before-agent hooks",
    "before-model hooks",
    "model wrappers",
    "model call 1",
    "after-model hooks",
    "tool wrappers",
    "tool call",
    "before-model hooks",
    "model wrappers",
    "model call 2",
    "after-model hooks",
    "after-agent hooks",
)


class Lane(Struct, frozen=True):
    """The reach of a value: from the place that adds it to the last place that sees it, both by their index.

    At the place that adds the value, only later hooks and inner wrappers see it.
    """

    source: str
    text: str
    rules: tuple[str, ...]
    start: int
    end: int


LANES = (
    Lane("a before-agent hook", "reaches everything that the run calls from then on.", ("CTX-01",), 0, 11),
    Lane(
        "a before-model hook",
        "reaches the later before-model hooks, the model wrappers, the model and the after-model hooks of this call. "
        "The value reaches neither the tools nor the next model call.",
        ("CTX-02", "CTX-03", "CTX-10"),
        1,
        4,
    ),
    Lane("a model wrapper", "reaches the inner wrappers and the model, and nothing outside.", ("CTX-05",), 2, 3),
    Lane("an after-model hook", "reaches the later after-model hooks of this call only.", ("CTX-04",), 4, 4),
    Lane("a tool wrapper", "reaches the inner wrappers and the tool, and nothing outside.", ("CTX-06",), 5, 6),
    Lane("an after-agent hook", "reaches the later after-agent hooks.", ("CTX-07",), 11, 11),
)
_ALSO = (
    Claim("Legacy functions", "A legacy function cannot set a context value of a model call.", ("CTX-09",)),
    Claim(
        "Session values",
        "Session values are not context values: all handlers, tools and sub-agents of a run share them.",
        ("CTX-08",),
    ),
)
_SUMMARY = (
    "A run with a tool call between two model calls, from top to bottom. Each bar is a value. The bar begins at the "
    "hook or wrapper that sets the value, and covers every place that the value reaches."
)
_FIRST, _ROW = 40, 30
_LANE, _NEXT = 188, 27  # the middle of the first lane, and the distance to the next


def figure() -> Figure:
    """Draw the reach of context values."""
    return Figure(
        name="context",
        title="The reach of a context value",
        summary=_SUMMARY,
        areas=("CTX",),
        claims=(
            *(Claim(f"Set in {lane.source}", f"The value {lane.text}", lane.rules) for lane in LANES),
            *_ALSO,
        ),
        canvas=_drawing(),
        table=_table(),
        lettered=True,
    )


def letter(number: int) -> str:
    """The letter of a lane."""
    return "ABCDEFGH"[number]


def _drawing() -> Canvas:
    height = _FIRST + len(PLACES) * _ROW
    canvas = Canvas(height + 4)
    canvas.words(8, 16, "Place, in order of time", "quiet")
    canvas.words(332, 16, "values A to F", "quiet", "end")
    for number, place in enumerate(PLACES):
        y = _FIRST + number * _ROW
        if number % 2 == 0:
            canvas.box(0, y, 340, _ROW, "stripe", 0)
        canvas.words(8, y + _ROW / 2, place, "strong" if "call" in place else "")
    for number, lane in enumerate(LANES):
        x = _LANE + number * _NEXT
        top, bottom = _FIRST + lane.start * _ROW, _FIRST + (lane.end + 1) * _ROW
        canvas.box(x - 11, top + 3, 22, bottom - top - 6, f"lane lane-{number % 3}", 11)
        canvas.mark(x, top + _ROW / 2, letter(number))
    return canvas


def _table() -> Table:
    rows = []
    for number, place in enumerate(PLACES):
        cells = ["set" if number == one.start else "seen" if one.start < number <= one.end else "–" for one in LANES]
        times = [at for at, other in enumerate(PLACES) if other == place]
        name = place if len(times) == 1 else f"{place} of call {times.index(number) + 1}"
        rows.append((Cell(name), *map(Cell, cells)))
    return Table(("Place", *(letter(number) for number in range(len(LANES)))), tuple(rows), slim=True)
