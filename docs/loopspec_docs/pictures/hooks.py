"""The table of hooks: when each is called, what it may change, and how long the change lasts."""

from __future__ import annotations

from .figure import Cell, Figure, Table

_SUMMARY = (
    "One row for each hook and wrapper of a handler, then the legacy kinds. A change in a hook lasts for the rest of "
    "the run. A change of a request in a wrapper lasts for that request."
)

TABLE = Table(
    columns=("Hook", "Called", "May change", "The change lasts until"),
    rows=(
        (
            Cell("before-agent hook"),
            Cell("once in a run, before anything else", ("HOOK-BA-02", "HOOK-BA-03")),
            Cell(
                "the instruction, the tools, the tools that return directly, the tool search",
                ("HOOK-BA-05", "HOOK-BA-06", "HOOK-BA-07", "HOOK-BA-10", "RETDIR-09", "RETDIR-10"),
            ),
            Cell("the end of this run", ("HOOK-BA-04",)),
        ),
        (
            Cell("before-model hook"),
            Cell("before each model call", ("HOOK-BM-02",)),
            Cell(
                "the messages, the list of tools, the deferred tools",
                ("STATE-01", "STATE-02", "STATE-03", "STATE-08"),
            ),
            Cell("the end of this run", ("HOOK-BM-03", "STATE-01", "STATE-03", "STATE-08")),
        ),
        (
            Cell("model wrapper"),
            Cell("around each attempt to call the model", ("HOOK-WM-02", "ORDER-MODEL-03")),
            Cell(
                "the request and its tools, the answer; a wrapper can also short-circuit the call",
                ("HOOK-WM-03", "HOOK-WM-04", "HOOK-WM-05", "HOOK-WM-14"),
            ),
            Cell(
                "request: the end of this request; answer: the end of this run",
                ("HOOK-WM-03", "HOOK-WM-04", "HOOK-WM-14"),
            ),
        ),
        (
            Cell("after-model hook"),
            Cell("after each model call that succeeds", ("HOOK-AM-02", "HOOK-AM-08")),
            Cell(
                "the messages with the answer and its tool calls, the list of tools",
                ("HOOK-AM-03", "HOOK-AM-04", "STATE-09", "STATE-11"),
            ),
            Cell("the end of this run", ("STATE-09", "STATE-11")),
        ),
        (
            Cell("tool wrapper"),
            Cell("around each tool call, once", ("TOOLS-01", "HOOK-WT-12")),
            Cell(
                "the arguments, the options, the result; a wrapper can also short-circuit the call",
                ("HOOK-WT-05", "HOOK-WT-06", "HOOK-WT-07", "HOOK-WT-15"),
            ),
            Cell(
                "arguments: the end of this call; result: the end of this run",
                ("HOOK-WT-05", "HOOK-WT-06"),
            ),
        ),
        (
            Cell("after-agent hook"),
            Cell("once, after the final answer of a run", ("HOOK-AA-01", "HOOK-AA-03", "HOOK-AA-08")),
            Cell("nothing: the hook observes the result", ("HOOK-AA-06", "HOOK-AA-09")),
            Cell("–"),
        ),
        (
            Cell("legacy before-model function"),
            Cell("before the before-model hooks", ("ORDER-MODEL-01",)),
            Cell("the messages", ("LEGACY-05",)),
            Cell("the end of this run", ("LEGACY-05",)),
        ),
        (
            Cell("legacy after-model function"),
            Cell("after the after-model hooks", ("ORDER-MODEL-01",)),
            Cell("the answer", ("LEGACY-06",)),
            Cell("the end of this run", ("LEGACY-06",)),
        ),
        (
            Cell("legacy tool wrapper"),
            Cell("around the tool wrappers of the handlers", ("ORDER-TOOL-01", "LEGACY-07")),
            Cell("the call and its result", ("LEGACY-07", "ORDER-TOOL-04")),
            Cell("the result: the end of this run", ("ORDER-TOOL-04",)),
        ),
    ),
)


def figure() -> Figure:
    """Make the table of hooks."""
    areas = ("HOOK-BA", "HOOK-BM", "HOOK-AM", "HOOK-AA", "HOOK-WM", "HOOK-WT", "BASE", "STATE", "LEGACY")
    return Figure(name="hooks", title="What each hook may change", summary=_SUMMARY, areas=areas, table=TABLE)
