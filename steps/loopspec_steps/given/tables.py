"""The tables of models, tools and handlers: answers of a model, tools, and what a handler does, one per row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from loopspec.contract.actions import Script
from loopspec.contract.agents import Tool, Turn
from loopspec.contract.calls import Command
from loopspec.contract.values import Error, Json, Part, ToolKind

from ..actions import ACTION_LIST, BODY, script_of, script_text
from ..cells import (
    CALLS,
    CODE,
    JSON,
    NAME,
    NUMBER,
    OBJECT,
    TEXT,
    TEXTS,
    YES_NO,
    as_cell,
    as_text,
    calls_of,
    calls_text,
    joined,
    json_text,
)
from ..declarations import (
    CELL,
    BuiltColumns,
    ClosedList,
    FieldColumn,
    NotWritable,
    OpenType,
    OwnColumn,
    Row,
    Rows,
    Table,
    Word,
)
from ..gates import GATE
from ..holes import WHERE


def _parts(cell: str) -> tuple[Part, ...]:
    return tuple(
        Part(url=piece.removeprefix("image:")) if piece.startswith("image:") else Part(text=piece)
        for piece in cell.split("/")
    )


def _parts_text(parts: Sequence[Part]) -> str:
    if any(part.url and part.text for part in parts):
        raise NotWritable("a part is a text or an image")
    return joined([f"image:{part.url}" if part.url else part.text for part in parts])


PARTS = OpenType(
    "parts",
    "The parts of a result with `/` between them: texts, and images as `image:` and an address.",
    "sunny/image:sun",
    _parts,
    _parts_text,
)
RESULTS = OpenType(
    "results",
    "One text, or several with `/` between them: call n returns text n, and after the last text the first.",
    "first/second",
    str,
)

KINDS: ClosedList[tuple[ToolKind, ...]] = ClosedList(
    "interfaces of a tool",
    "The interfaces that a tool has.",
    Word("invokable", "The tool returns one text.", ("invokable",)),
    Word("streamable", "The tool returns a stream of texts.", ("streamable",)),
    Word("enhanced invokable", "The tool returns one result of several parts.", ("enhanced invokable",)),
    Word("enhanced streamable", "The tool returns a stream of parts.", ("enhanced streamable",)),
    Word("invokable and streamable", "The tool has both interfaces for texts.", ("invokable", "streamable")),
    Word(
        "enhanced invokable and streamable",
        "The tool has both interfaces for parts.",
        ("enhanced invokable", "enhanced streamable"),
    ),
    Word(
        "invokable and enhanced streamable",
        "The tool returns one text or a stream of parts.",
        ("invokable", "enhanced streamable"),
    ),
    Word(
        "streamable and enhanced invokable",
        "The tool returns a stream of texts or one result of several parts.",
        ("streamable", "enhanced invokable"),
    ),
    Word("none", "The tool has no interface, so that it cannot be called.", ()),
)

# What the answers of a model and the results of a tool have in common.
CHUNKS = FieldColumn("chunks", "The chunks of the stream; one chunk with the whole text by default.", TEXTS)
FAILS_WITH = FieldColumn(
    "fails with",
    "The code of the error with which the call fails; empty for a call that succeeds.",
    CODE,
    {"error": Error(kind="scripted", code=CELL)},
)
AFTER_CHUNKS = FieldColumn(
    "after chunks", "How many chunks a stream emits before it fails; zero by default.", NUMBER, "breaks"
)
CRASHES = FieldColumn("crashes", "Whether the call crashes instead of returning an error.", YES_NO, "crash")
HELD_UNTIL = FieldColumn("held until", "The gate that the call waits for before it does anything.", GATE, "held")
SECOND_CHUNK = FieldColumn(
    "second chunk held until", "The gate that a stream waits for before its second chunk.", GATE, {"waits": {1: CELL}}
)
NOTHING = FieldColumn(
    "returns nothing", "Whether the call returns nothing at all, without an error.", YES_NO, "nothing"
)

EXTRAS: OwnColumn[Json] = OwnColumn(
    "extra data",
    "The extra data of the chunks, a list of JSON objects, one per chunk; an answer as a whole has all of it.",
    JSON,
    "extras",
    reads=lambda row: {"extras": tuple(EXTRAS.of(row, ()))},
    writes=lambda turn: json_text(turn.extras),
)
CALLED = FieldColumn("calls", "The tool calls of the answer.", CALLS, "tool_calls")


class _Turns(BuiltColumns[Turn]):
    """The answers of a model, whose calls are numbered through."""

    def read(self, table: Table) -> tuple[Turn, ...]:
        """Return the answers of a table."""
        turns: list[Turn] = []
        for row in table:
            before = sum(len(turn.tool_calls) for turn in turns)
            turns.append(self.build(row, tool_calls=calls_of(CALLED.text(row), before + 1)))
        return tuple(turns)

    def write(self, values: Sequence[Turn], known: Mapping[str, Sequence[str]] | None = None) -> Rows:
        """Return the table of answers."""
        cells, number = [], 1
        for turn in values:
            cells.append(calls_text(turn.tool_calls, number))
            number += len(turn.tool_calls)
        return super().write(values, {CALLED.name: cells})


TURNS = _Turns(
    "answers of a model",
    "The answers of a model in the order of its calls, one per row; each run begins with the first row, "
    "and a call after the last row fails.",
    Turn(),
    FieldColumn("text", "The text of the answer; empty by default.", TEXT),
    CALLED,
    CHUNKS,
    FAILS_WITH,
    AFTER_CHUNKS,
    CRASHES,
    HELD_UNTIL,
    SECOND_CHUNK,
    NOTHING,
    EXTRAS,
)


def _texts(row: Row) -> dict[str, object]:
    if RETURNS.name not in row:
        return {}
    text, *others = map(as_text, RETURNS.text(row).split("/"))
    return {"text": text, "texts": (text, *others) if others else ()}


def _texts_cell(tool: Tool) -> str:
    texts = tool.texts or (tool.text,)
    if texts[0] != tool.text or len(tool.texts) == 1:
        raise NotWritable("the first text is the text of the tool, and another one follows", "texts")
    if any("/" in text for text in texts):
        raise NotWritable("a result contains /, which is between results", "text")
    return "/".join(map(as_cell, texts))


RETURNS = OwnColumn(
    "returns",
    "The text that a call returns; `ok` by default.",
    RESULTS,
    {"text": CELL, "texts": CELL},
    reads=_texts,
    writes=_texts_cell,
    blank=True,
)


def _command(row: Row) -> dict[str, object]:
    if not (SETS.text(row) or GOES_TO.text(row)):
        return {}
    return {"command": Command(state=SETS.of(row, {}), goto=GOES_TO.of(row, None))}


SETS: OwnColumn[dict[str, Json]] = OwnColumn(
    "sets",
    "Fields of the middleware's own state that the returned command sets.",
    OBJECT,
    "command",
    reads=_command,
    writes=lambda tool: json_text(tool.command.state) if tool.command and tool.command.state else "",
)
GOES_TO: OwnColumn[str] = OwnColumn(
    "goes to",
    "The target to which the returned command jumps: `model`, `tools`, `end`, or an unknown one.",
    NAME,
    "command",
    reads=_command,
    writes=lambda tool: (tool.command and tool.command.goto) or "",
)

TOOLS = BuiltColumns(
    "tools",
    "Tools, one per row.",
    Tool(name=""),
    FieldColumn("name", "The name of the tool.", NAME, required=True),
    RETURNS,
    FieldColumn("kind", "The interfaces of the tool; `invokable` by default.", KINDS, "kinds"),
    CHUNKS,
    FieldColumn("parts", "The parts that an enhanced call returns.", PARTS),
    FAILS_WITH,
    AFTER_CHUNKS,
    CRASHES,
    NOTHING,
    FieldColumn("parses", "Whether the body parses its arguments and fails if they are no JSON.", YES_NO),
    FieldColumn("ignores cancellation", "Whether the body ignores a cancellation while it waits.", YES_NO, "stubborn"),
    FieldColumn("echoes", "Whether the call returns its arguments.", YES_NO),
    FieldColumn(
        "interrupts", "Whether the first call interrupts the run; the call after the resumption returns.", YES_NO
    ),
    FieldColumn("needs approval", "Whether a person decides about each call before it is made.", YES_NO, "approval"),
    FieldColumn("nameless", "Whether reading the name and the description of the tool fails.", YES_NO),
    HELD_UNTIL,
    SECOND_CHUNK,
    FieldColumn("actions", "What the body does before it returns.", BODY),
    SETS,
    GOES_TO,
    FieldColumn("known as", "The name that models know the tool by; the name of the tool by default.", NAME),
)


HOOK = FieldColumn("hook", "The hook, maybe one call of it, maybe one tool.", WHERE, {}, required=True)
ACTION = FieldColumn("action", "The actions of the hook.", ACTION_LIST, {}, required=True)


class _Scripts(BuiltColumns[Script]):
    """What a handler does, whose actions are those of the hook."""

    def build(self, row: Row, **known: object) -> Script:
        """Return the script of a row."""
        return script_of(HOOK.text(row), ACTION.text(row))

    def write(self, values: Sequence[Script], known: Mapping[str, Sequence[str]] | None = None) -> Rows:
        """Return the table of scripts."""
        return ((HOOK.name, ACTION.name), *map(script_text, values))


SCRIPTS = _Scripts(
    "actions by hook", "What a handler or middleware does, one hook per row.", Script(hook="before model"), HOOK, ACTION
)
