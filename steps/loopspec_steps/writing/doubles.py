"""The answers of models, and tools, as rows of tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from loopspec.contract.actions import Action
from loopspec.contract.agents import Tool, Turn
from loopspec.contract.values import Error, Gate, Part

from ..given import turns_and_tools as columns
from .clauses import action_text, gate_text
from .steps import NotWritable, Rows
from .texts import as_cell, calls_text, joined, json_text, plain

_Cells = Mapping[str, str]


def turns_table(turns: Sequence[Turn], field: str) -> Rows:
    """The table of a model's answers."""
    rows = []
    number = 1
    for at, turn in enumerate(turns):
        rows.append(_turn(turn, number, f"{field}[{at}]"))
        number += len(turn.tool_calls)
    return _table([columns.ANSWER.name], rows)


def tools_table(tools: Sequence[Tool], field: str) -> Rows:
    """The table of tools that are no agents."""
    # an empty cell below `returns` is the empty text, and the default is another one
    returns = [] if all(tool.text == "ok" and not tool.texts for tool in tools) else [columns.RETURNS.name]
    rows = [_tool(tool, f"{field}[{at}]") for at, tool in enumerate(tools)]
    return _table(
        [columns.TOOL.name, *returns], [row if returns else {**row, columns.RETURNS.name: ""} for row in rows]
    )


def _table(always: Iterable[str], rows: Sequence[_Cells]) -> Rows:
    """The columns of which a row needs one, in the order of the phrase's table."""
    order = [column.name for column in (*columns.TURNS, *columns.TOOLS)]
    used = {*always, *(name for row in rows for name, cell in row.items() if cell)}
    head = sorted(used, key=order.index)
    return (tuple(head), *(tuple(row.get(name, "") for name in head) for row in rows))


def _turn(turn: Turn, number: int, field: str) -> _Cells:
    return {
        columns.ANSWER.name: as_cell(turn.text),
        columns.CALLED.name: calls_text(turn.tool_calls, number, f"{field}.tool_calls"),
        **_call_cells(turn, field),
        columns.EXTRAS.name: json_text(turn.extras) if turn.extras else "",
    }


def _call_cells(double: Turn | Tool, field: str) -> _Cells:
    """The cells that answers and tools have in common."""
    return {
        columns.CHUNKS.name: joined(double.chunks, f"{field}.chunks"),
        columns.FAILS_WITH.name: error_code(double.error, f"{field}.error"),
        columns.AFTER_CHUNKS.name: str(double.breaks) if double.breaks else "",
        columns.CRASHES.name: _yes(double.crash),
        columns.HELD_UNTIL.name: gate_text(double.held, f"{field}.held") if double.held else "",
        columns.SECOND_CHUNK.name: _second_chunk(double.waits, f"{field}.waits"),
        columns.NOTHING.name: _yes(double.nothing),
    }


def error_code(error: Error | None, field: str) -> str:
    """The code of a scripted error; empty without one. Raises `NotWritable` for another error."""
    if error is None:
        return ""
    if error.kind != "scripted" or not error.code:
        raise NotWritable(field, f"{error!r} is no error with a code")
    return plain(error.code, f"{field}.code")


def _second_chunk(waits: Mapping[int, Gate], field: str) -> str:
    if set(waits) - {1}:
        raise NotWritable(field, "only the second chunk can wait")
    return gate_text(waits[1], f"{field}[1]") if waits else ""


def _tool(tool: Tool, field: str) -> _Cells:
    if tool.agent or tool.description or tool.full_history or tool.schema is not None:
        raise NotWritable(field, "a row of a table of tools says nothing about a description, a schema or an agent")
    command = tool.command
    return {
        columns.TOOL.name: plain(tool.name, f"{field}.name"),
        columns.RETURNS.name: _returned(tool, field),
        columns.KIND.name: "" if tool.kinds == ("invokable",) else columns.KINDS.text_of(tool.kinds),
        columns.PARTS_RETURNED.name: _parts(tool.parts, f"{field}.parts"),
        **_call_cells(tool, field),
        columns.PARSES.name: _yes(tool.parses),
        columns.STUBBORN.name: _yes(tool.stubborn),
        columns.ECHOES.name: _yes(tool.echoes),
        columns.INTERRUPTS.name: _yes(tool.interrupts),
        columns.NAMELESS.name: _yes(tool.nameless),
        columns.DOES.name: _actions(tool.actions, f"{field}.actions"),
        columns.SETS.name: json_text(command.state) if command and command.state else "",
        columns.GOES_TO.name: command.goto or "" if command else "",
        columns.KNOWN_AS.name: plain(tool.known_as, f"{field}.known_as") if tool.known_as is not None else "",
    }


def _returned(tool: Tool, field: str) -> str:
    texts = tool.texts or (tool.text,)
    if texts[0] != tool.text or len(tool.texts) == 1:
        raise NotWritable(f"{field}.texts", "the first text is the text of the tool, and another one follows")
    if any("/" in text for text in texts):
        raise NotWritable(f"{field}.text", "a result contains /, which is between results")
    return "/".join(map(as_cell, texts))


def _parts(parts: Sequence[Part], field: str) -> str:
    texts = [f"image:{part.url}" if part.url else part.text for part in parts]
    if any(part.url and part.text for part in parts):
        raise NotWritable(field, "a part is a text or an image")
    return joined(texts, field)


def _actions(actions: Sequence[Action], field: str) -> str:
    return "; ".join(action_text(action, "tool", f"{field}[{at}]") for at, action in enumerate(actions))


def _yes(is_true: bool) -> str:
    return "yes" if is_true else ""
