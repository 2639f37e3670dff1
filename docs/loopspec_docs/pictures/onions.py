"""The pictures of a model call and of a tool call: what surrounds the call, from outside in."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from .canvas import Canvas
from .figure import Claim, Figure

Where = Literal["before", "around", "after"]


class Layer(Struct, frozen=True):
    """What a call passes. A layer `around` surrounds all later layers that are not `after` the call.

    `trace` is the line that the layer leaves in the trace of a run, without the name of the extension; a built-in
    layer leaves none.
    """

    label: str
    text: str
    rules: tuple[str, ...]
    where: Where = "around"
    trace: str = ""


MODEL_CALL = (
    Layer(
        "Legacy before-model functions",
        "Functions of legacy middlewares come first, in registration order.",
        ("ORDER-MODEL-01", "ORDER-MODEL-02", "LEGACY-05"),
        "before",
        "before model L",
    ),
    Layer(
        "Before-model hooks",
        "The hooks of the handlers follow, in registration order. A retry does not repeat them.",
        ("ORDER-MODEL-01", "ORDER-MODEL-03", "HOOK-BM-01"),
        "before",
        "before model H",
    ),
    Layer(
        "Failover",
        "Failover calls another model after a model has failed and its retries are exhausted.",
        ("ORDER-MODEL-04", "FAILOVER-01"),
    ),
    Layer(
        "Retry",
        "Retry repeats everything inside for each attempt with one model.",
        ("ORDER-MODEL-03", "ORDER-MODEL-04", "RETRY-01"),
    ),
    Layer(
        "Event of the answer",
        "The event shows the answer after the wrappers and before the after-model hooks.",
        ("ORDER-MODEL-05", "EVENT-06"),
    ),
    Layer(
        "Model wrappers",
        "The wrappers of the handlers surround the model. The first registered is the outermost.",
        ("HOOK-WM-01", "HOOK-WM-03", "ORDER-MODEL-01"),
        "around",
        "around model H",
    ),
    Layer(
        "Callbacks",
        "Callbacks start and end directly around the model, inside all wrappers.",
        ("ORDER-MODEL-07", "ORDER-MODEL-08"),
        "around",
        "callback model start",
    ),
    Layer(
        "The model",
        "The model receives the request that the innermost wrapper passes.",
        ("HOOK-WM-04", "ORDER-MODEL-01"),
        "around",
        "model",
    ),
    Layer(
        "After-model hooks",
        "The hooks of the handlers run in registration order, once for the whole model call.",
        ("ORDER-MODEL-01", "ORDER-MODEL-02", "HOOK-AM-01"),
        "after",
        "after model H",
    ),
    Layer(
        "Legacy after-model functions",
        "Functions of legacy middlewares come last, in registration order.",
        ("ORDER-MODEL-01", "ORDER-MODEL-02", "LEGACY-06"),
        "after",
        "after model L",
    ),
)

TOOL_CALL = (
    Layer(
        "Event of the result",
        "The event shows the result after all wrappers and middlewares.",
        ("ORDER-TOOL-03",),
    ),
    Layer(
        "Tool middlewares",
        "The tool middlewares of the agent come first. The first registered is the outermost.",
        ("ORDER-TOOL-01", "ORDER-TOOL-02"),
        "around",
        "around tool M",
    ),
    Layer(
        "Legacy tool wrappers",
        "The tool wrappers of legacy middlewares receive the result of the handlers' wrappers and can replace it.",
        ("ORDER-TOOL-01", "ORDER-TOOL-04", "LEGACY-07"),
        "around",
        "around tool L",
    ),
    Layer(
        "Tool wrappers",
        "The wrappers of the handlers surround the tool. The first registered is the outermost.",
        ("ORDER-TOOL-01", "HOOK-WT-01", "HOOK-WT-05"),
        "around",
        "around tool H",
    ),
    Layer(
        "Callbacks",
        "Callbacks start and end directly around the tool, inside all wrappers.",
        ("ORDER-TOOL-05",),
        "around",
        "callback tool start",
    ),
    Layer(
        "The tool",
        "The tool receives the arguments that the innermost wrapper passes.",
        ("LOOP-15", "HOOK-WT-06"),
        "around",
        "tool t",
    ),
)

_MODEL = (
    "Layers of a model call. Legacy functions and before-model hooks come first. Failover surrounds retry, retry "
    "surrounds the event of the answer, the event surrounds the model wrappers, the wrappers surround the callbacks, "
    "and the callbacks surround the model. After-model hooks and legacy functions come last."
)
_TOOL = (
    "Layers of a tool call, from outside in: the event of the result, the tool middlewares, the legacy tool wrappers, "
    "the tool wrappers of the handlers, the callbacks, and the tool."
)


def model_call() -> Figure:
    """Draw the layers of a model call."""
    areas = ("ORDER-MODEL", "HOOK-WM", "RETRY", "FAILOVER")
    return _figure("model-call", "The layers of a model call", _MODEL, areas, MODEL_CALL)


def tool_call() -> Figure:
    """Draw the layers of a tool call."""
    return _figure("tool-call", "The layers of a tool call", _TOOL, ("ORDER-TOOL", "HOOK-WT"), TOOL_CALL)


def _figure(name: str, title: str, summary: str, areas: tuple[str, ...], layers: tuple[Layer, ...]) -> Figure:
    return Figure(
        name=name,
        title=title,
        summary=summary,
        areas=areas,
        claims=tuple(Claim(layer.label, layer.text, layer.rules) for layer in layers),
        canvas=_drawing(layers),
    )


_BAR, _GAP, _BAND, _INSET, _CORE = 36, 18, 36, 9, 44


def _drawing(layers: tuple[Layer, ...]) -> Canvas:
    bars = {where: sum(layer.where == where for layer in layers) for where in ("before", "after")}
    rings = [layer for layer in layers if layer.where == "around"]
    size = (len(rings) - 1) * (_BAND + _INSET) + _CORE
    before = bars["before"] * (_BAR + _GAP)
    canvas = Canvas(8 + before + size + bars["after"] * (_BAR + _GAP) + 8)
    y: float = 8
    for number, layer in enumerate(layers, 1):
        if layer.where == "around":
            depth = rings.index(layer)
            _ring(canvas, layer, 8 + before, size, depth, len(rings), str(number))
            y = 8 + before + size + _GAP
            continue
        canvas.box(8, y, 324, _BAR, "step")
        canvas.mark(28, y + _BAR / 2, str(number))
        canvas.words(46, y + _BAR / 2, layer.label, "strong")
        if layer.where == "before":
            canvas.arrow((170, y + _BAR), (170, y + _BAR + _GAP))
        else:
            canvas.arrow((170, y - _GAP), (170, y))
        y += _BAR + _GAP
    return canvas


def _ring(canvas: Canvas, layer: Layer, top: float, size: float, depth: int, count: int, number: str) -> None:
    x, y = 8 + depth * _INSET, top + depth * _BAND
    innermost = depth == count - 1
    kind = "call" if innermost else "event" if layer.label.startswith("Event") else f"ring ring-{depth % 2}"
    canvas.box(x, y, 340 - 2 * x, size - depth * (_BAND + _INSET), kind, 10)
    middle = y + (_CORE if innermost else _BAND) / 2
    canvas.mark(x + 20, middle, number)
    canvas.words(x + 38, middle, layer.label, "strong")
