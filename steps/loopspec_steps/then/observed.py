"""What several Thens look for in an Observation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from loopspec.contract.acting import Hook
from loopspec.contract.capabilities import Capability
from loopspec.contract.mismatch import Mismatch, expect
from loopspec.contract.observation import Event, HookCall, ModelCall, Observation, RunEnd, Span, ToolRun
from loopspec.contract.values import Error, ErrorKind, Json, Message, ToolKind

from ..cells import OBJECT, TEXT, as_arguments, as_text, calls_of, names
from ..conversation import ROLES
from ..declarations import ClosedList, OpenType, PhraseError, SeenColumn, SeenColumns, Word

T = TypeVar("T")


def require(holds: object, what: str, expected: object, seen: object, hint: str = "") -> None:
    """Raise `Mismatch` unless something holds; the rest is what the message says."""
    if not holds:
        raise Mismatch(what, expected, seen, hint)


def nth(what: str, entries: Sequence[T], number: int) -> T:
    """The n-th of several entries; there must be so many."""
    require(0 < number <= len(entries), what, f"at least {number}", len(entries))
    return entries[number - 1]


def end_of(seen: Observation, run: int | str) -> RunEnd:
    """How a run ended; it must have."""
    ends = _of(seen.runs, run=run)
    require(ends, f"how run {run} ends", "it ends", seen.created or "the run has not ended")
    return ends[0]


def success_of(seen: Observation, run: int | str) -> RunEnd:
    """The same of a run that succeeds."""
    end = end_of(seen, run)
    require(not end.error, f"run {run}", "succeeds", end.error)
    return end


def _of(entries: Iterable[T], **wanted: object) -> list[T]:
    """The entries whose fields have these values; None for any."""
    texts = {name: str(value) for name, value in wanted.items() if value is not None}
    return [one for one in entries if all(getattr(one, name) == text for name, text in texts.items())]


def hook_calls(seen: Observation, handler: str, hook: Hook, run: int | str | None = None) -> list[HookCall]:
    """The calls of one hook of a scripted handler."""
    return _of(seen.hooks, handler=handler, hook=hook, run=run)


def hook_call(seen: Observation, handler: str, hook: Hook, number: int = 1, run: int | str | None = None) -> HookCall:
    """The n-th of them; there must be so many."""
    return nth(f"how often {handler} is called {hook}", hook_calls(seen, handler, hook, run), number)


def reported(what: str, value: T | None, capability: Capability) -> T:
    """A value that an adapter with the capability reports. Raises `Mismatch` for a value that is not reported."""
    if value is None:
        hint = f"the adapter declares {capability}, and does not report the value"
        raise Mismatch(what, "reported", "not reported", hint)
    return value


def model_calls(seen: Observation, run: int | str | None = None, model: str | None = None) -> list[ModelCall]:
    """The model calls of a run, of one model, or all; there must be one, and no run may have failed before it."""
    calls = _of(seen.model_calls, run=run, model=model)
    require(calls, "the model calls", "at least one", "none")
    return calls


def model_call(seen: Observation, number: int, run: int | str | None = None, model: str | None = None) -> ModelCall:
    """The n-th of them."""
    return nth("the number of model calls", model_calls(seen, run, model), number)


def tool_runs(seen: Observation, tool: str, run: int | str | None = None) -> list[ToolRun]:
    """The calls that reached a tool."""
    return _of(seen.tool_runs, tool=tool, run=run)


def events_of(seen: Observation, run: int | str = 1) -> list[Event]:
    """The events of a run."""
    return _of(seen.events, run=run)


def spans_of(seen: Observation, agent: str | None = None, run: int | str | None = None) -> list[Span]:
    """The calls of doubles of one agent."""
    return _of(seen.spans, agent=agent, run=run)


def trace(spans: Sequence[Span]) -> list[str]:
    """The calls in the order in which they began, indented by what they happened inside of."""
    known = {span.n: span for span in spans}

    def depth(span: Span) -> int:
        return 0 if span.inside is None or span.inside not in known else 1 + depth(known[span.inside])

    return ["  " * depth(span) + line_of(span) for span in spans]


def line_of(span: Span) -> str:
    """A call in words."""
    return "model" if span.name == "model model" else span.name


def errors_of(seen: Observation) -> list[Error]:
    """All errors that ended something."""
    return [error for error in (seen.created, *(end.error for end in seen.runs)) if error]


def _called(cell: str) -> str:
    if "(" in cell:
        raise PhraseError(f"{cell!r} has arguments: they have a column of their own")
    return ", ".join(call.name for call in calls_of(cell))


CALLED_TOOLS = OpenType(
    "called tools", "The names of tools with commas between them; empty for no call.", "t1, t2", _called
)


def _arguments_of_calls(text: str) -> str:
    return as_arguments(f"[{text}]")[1:-1]  # the arguments of several calls are a list without its brackets


CALLED_ARGUMENTS = OpenType(
    "arguments of calls",
    "The arguments of tool calls with commas between them. JSON is compared by value.",
    '{"a": 1}, {"b": 2}',
    _arguments_of_calls,
)
SEEN_PARTS = OpenType(
    "seen parts",
    "Parts with `/` between them: texts, and images as `image:` and an address.",
    "sunny/image:sun",
    as_text,
)

INTERFACES: ClosedList[ToolKind] = ClosedList(
    "tool interfaces",
    "The interface by which a tool is called.",
    Word("invokable", "The tool returns one text.", "invokable"),
    Word("streamable", "The tool returns a stream of texts.", "streamable"),
    Word("enhanced invokable", "The tool returns one result of several parts.", "enhanced invokable"),
    Word("enhanced streamable", "The tool returns a stream of parts.", "enhanced streamable"),
)
MESSAGES: SeenColumns[Message] = SeenColumns(
    "messages",
    "Messages that a model, a handler or an input generation receives, one per row.",
    SeenColumn("role", "The role of the message.", ROLES),
    SeenColumn("content", "The content of the message.", TEXT),
    SeenColumn(
        "calls",
        "The names of the tools that the message calls.",
        CALLED_TOOLS,
        lambda message: ", ".join(call.name for call in message.tool_calls),
    ),
    SeenColumn(
        "arguments",
        "The arguments of the tool calls of the message.",
        CALLED_ARGUMENTS,
        lambda message: _arguments_of_calls(", ".join(call.args for call in message.tool_calls)),
    ),
    SeenColumn(
        "call id",
        "The id of the call whose result the message is; empty for other messages.",
        TEXT,
        lambda message: message.tool_call_id or "",
    ),
    SeenColumn(
        "parts",
        "The parts of an enhanced result; empty for other messages.",
        SEEN_PARTS,
        lambda message: "/".join(f"image:{part.url}" if part.url else part.text for part in message.parts),
    ),
    SeenColumn("extra data", "The extra data of the message, a JSON object.", OBJECT, "extra"),
)


def expect_names(what: str, wanted: str, found: Iterable[str], sort: bool = False) -> None:
    """The names are those of a list in words; with `sort`, in any order."""
    order = sorted if sort else list
    expect(what, order(names(wanted)), order(found))


def expect_log(seen: Observation, name: str) -> None:
    """The default log has a line with the name."""
    require(any(name in line for line in seen.log), "the log", f"a line that names {name}", seen.log)


def parts_of(value: Json) -> Iterator[Json]:
    """All values in a JSON value, and the value itself; names of fields are none."""
    yield value
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from parts_of(part)


_LET_THROUGH = "let the error that was raised through, or raise your own `from` it"


def expect_kind(what: str, kind: ErrorKind, error: Error | None, otherwise: str = "no error", hint: str = "") -> None:
    """An error of this kind that the implementation has an exception of its own for. `otherwise`: seen without any."""
    if (found := error.kind if error else None) != kind:
        own = f"in Python, name the kind of your exception: `error_kinds = {{YourError: {kind!r}}}`"
        raise Mismatch(what, kind, error or otherwise, (hint or own) if found == "other" else "")


def expect_kind_through(what: str, kind: ErrorKind, error: Error | None, otherwise: str = "no error") -> None:
    """An error that a double has raised, which comes through the implementation, itself or as a cause."""
    expect_kind(what, kind, error, otherwise, _LET_THROUGH)


def expect_code(seen: Observation, end: RunEnd, code: str) -> None:
    """The error with this code, which a double has raised, ends a run; or one of this kind, if it has no code."""
    found = end.error and (end.error.code or end.error.kind)
    if found != code:
        hint = _lost(seen, end, code) if end.error else swallowed(seen, end)
        raise Mismatch(f"the error of run {end.run}", f"the error {code}", end.error or how_it_ended(end), hint)


def _lost(seen: Observation, end: RunEnd, code: str) -> str:
    """The hint for a run whose error does not have the error of a double among its causes; nothing for other errors."""
    if end.error is None or end.error.kind != "other":
        return ""
    for span in seen.spans:
        inner = span.error and not any(each.inside == span.n and each.error == span.error for each in seen.spans)
        if inner and span.run == end.run and span.error and span.error.code == code:
            double = "model" if span.name == "model model" else span.name
            return f"the error that the {double} raised is not in the causes of the run's error: {_LET_THROUGH}"
    return _LET_THROUGH


def how_it_ended(end: RunEnd) -> str:
    """How a run ended, in a few words."""
    if end.error:
        where = f", raised at {end.error.place}" if end.error.place else ""
        return f"it fails: {end.error.message or end.error.code or end.error.kind}{where}"
    return "it is interrupted" if end.interrupted else "it ends without an error"


def swallowed(seen: Observation, end: RunEnd) -> str:
    """The hint for a run that ends without an error although a double has raised one; nothing for other runs."""
    raised = [span.error for span in seen.spans if span.error and span.run == end.run]
    if end.error or end.interrupted or not raised:
        return ""
    named = raised[-1].code or raised[-1].kind
    return (
        f"if {named} made the run fail, let {named} leave the method `run` of an adapter on the toolkit; in another "
        f"adapter, let {named} leave `with stage.runs.running(run):`"
    )


def unreported(seen: Observation, run: int | str) -> str:
    """The hint for an adapter that reports no error event of a run that failed; nothing where there is one."""
    if any(event.error and event.chunks is None for event in seen.events if event.run == str(run)):
        return ""
    if not any(end.error for end in seen.runs if end.run == str(run)):
        return ""
    return (
        f"run {run} failed, and no event reports its error: report it, "
        "in Python with `stage.runs.event(agent, error=error)`"
    )
