"""The tables of models and tools: the answers of a model, and the tools of an agent or middleware, one per row."""

from __future__ import annotations

from loopspec.contract.agents import Tool, Turn
from loopspec.contract.calls import Command
from loopspec.contract.values import Error, Gate, Part, ToolKind

from ..actions import BODY
from ..cells import CALLS, CODE, JSON, NAME, NUMBER, OBJECT, TEXT, TEXTS, YES_NO, as_text, calls_of
from ..declarations import ClosedList, Column, Columns, OpenType, Row, Table, Word
from ..gates import GATE


def _parts(cell: str) -> tuple[Part, ...]:
    return tuple(
        Part(url=piece.removeprefix("image:")) if piece.startswith("image:") else Part(text=piece)
        for piece in cell.split("/")
    )


PARTS = OpenType(
    "parts",
    "The parts of a result with `/` between them: texts, and images as `image:` and an address.",
    "sunny/image:sun",
    _parts,
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

FAILS_WITH = Column(
    "fails with", "The code of the error with which the call fails; empty for a call that succeeds.", CODE
)
AFTER_CHUNKS = Column("after chunks", "How many chunks a stream emits before it fails; zero by default.", NUMBER)
CRASHES = Column("crashes", "Whether the call crashes instead of returning an error.", YES_NO)
HELD_UNTIL = Column("held until", "The gate that the call waits for before it does anything.", GATE)
SECOND_CHUNK = Column("second chunk held until", "The gate that a stream waits for before its second chunk.", GATE)
CHUNKS = Column("chunks", "The chunks of the stream; one chunk with the whole text by default.", TEXTS)
EXTRAS = Column(
    "extra data",
    "The extra data of the chunks, a list of JSON objects, one per chunk; an answer as a whole has all of it.",
    JSON,
)
NOTHING = Column("returns nothing", "Whether the call returns nothing at all, without an error.", YES_NO)

ANSWER = Column("text", "The text of the answer; empty by default.", TEXT)
CALLED = Column("calls", "The tool calls of the answer.", CALLS)

TURNS: Columns[Column[object]] = Columns(
    "answers of a model",
    "The answers of a model in the order of its calls, one per row; each run begins with the first row, "
    "and a call after the last row fails.",
    ANSWER,
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

TOOL = Column("name", "The name of the tool.", NAME, required=True)
RETURNS = Column("returns", "The text that a call returns; `ok` by default.", RESULTS)
KIND = Column("kind", "The interfaces of the tool; `invokable` by default.", KINDS)
PARTS_RETURNED = Column("parts", "The parts that an enhanced call returns.", PARTS)
PARSES = Column("parses", "Whether the body parses its arguments and fails if they are no JSON.", YES_NO)
STUBBORN = Column("ignores cancellation", "Whether the body ignores a cancellation while it waits.", YES_NO)
ECHOES = Column("echoes", "Whether the call returns its arguments.", YES_NO)
INTERRUPTS = Column(
    "interrupts", "Whether the first call interrupts the run; the call after the resumption returns.", YES_NO
)
NAMELESS = Column("nameless", "Whether reading the name and the description of the tool fails.", YES_NO)
DOES = Column("actions", "What the body does before it returns.", BODY)
SETS = Column("sets", "Fields of the middleware's own state that the returned command sets.", OBJECT)
GOES_TO = Column(
    "goes to", "The target to which the returned command jumps: `model`, `tools`, `end`, or an unknown one.", NAME
)
KNOWN_AS = Column("known as", "The name that models know the tool by; the name of the tool by default.", NAME)

TOOLS: Columns[Column[object]] = Columns(
    "tools",
    "Tools, one per row.",
    TOOL,
    RETURNS,
    KIND,
    CHUNKS,
    PARTS_RETURNED,
    FAILS_WITH,
    AFTER_CHUNKS,
    CRASHES,
    NOTHING,
    PARSES,
    STUBBORN,
    ECHOES,
    INTERRUPTS,
    NAMELESS,
    HELD_UNTIL,
    SECOND_CHUNK,
    DOES,
    SETS,
    GOES_TO,
    KNOWN_AS,
)


def error_of(code: str | None) -> Error | None:
    """The error of the harness with this code; None without a code."""
    return Error(kind="scripted", code=code) if code else None


def turns_of(table: Table) -> tuple[Turn, ...]:
    """The answers of a model, one per row."""
    turns: list[Turn] = []
    number = 1
    for row in table:
        calls = calls_of(CALLED.text(row), number)
        number += len(calls)
        turns.append(
            Turn(
                text=ANSWER.of(row, ""),
                tool_calls=calls,
                error=error_of(FAILS_WITH.of(row, None)),
                held=HELD_UNTIL.of(row, None),
                chunks=CHUNKS.of(row, ()),
                breaks=AFTER_CHUNKS.of(row, 0),
                crash=CRASHES.of(row, False),
                nothing=NOTHING.of(row, False),
                waits=_waits(row),
                extras=tuple(EXTRAS.of(row, ())),
            )
        )
    return tuple(turns)


def tools_of(table: Table) -> tuple[Tool, ...]:
    """The tools of a table, one per row."""
    return tuple(_tool(row) for row in table)


def _tool(row: Row) -> Tool:
    results = RETURNS.text(row).split("/") if RETURNS.name in row else ["ok"]
    return Tool(
        name=TOOL.read(row),
        text=as_text(results[0]),
        texts=tuple(map(as_text, results)) if len(results) > 1 else (),
        kinds=KIND.of(row, ("invokable",)),
        chunks=CHUNKS.of(row, ()),
        parts=PARTS_RETURNED.of(row, ()),
        error=error_of(FAILS_WITH.of(row, None)),
        breaks=AFTER_CHUNKS.of(row, 0),
        held=HELD_UNTIL.of(row, None),
        actions=DOES.of(row, ()),
        crash=CRASHES.of(row, False),
        nothing=NOTHING.of(row, False),
        parses=PARSES.of(row, False),
        stubborn=STUBBORN.of(row, False),
        echoes=ECHOES.of(row, False),
        interrupts=INTERRUPTS.of(row, False),
        nameless=NAMELESS.of(row, False),
        command=_command(row),
        known_as=KNOWN_AS.of(row, None),
        waits=_waits(row),
    )


def _waits(row: Row) -> dict[int, Gate]:
    gate = SECOND_CHUNK.of(row, None)
    return {} if gate is None else {1: gate}


def _command(row: Row) -> Command | None:
    if not (SETS.text(row) or GOES_TO.text(row)):
        return None
    return Command(state=SETS.of(row, {}), goto=GOES_TO.of(row, None))
