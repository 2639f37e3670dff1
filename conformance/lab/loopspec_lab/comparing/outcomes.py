"""What two targets show of a scene, by source, without the parts that are never judged."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from loopspec.contract.capabilities import Capability
from loopspec.contract.observation import (
    Answered,
    Event,
    HookCall,
    Load,
    ModelCall,
    Observation,
    Question,
    RunEnd,
    Span,
    ToolRun,
)
from loopspec.contract.scene import Ask, ReadRequest, Scene
from loopspec.contract.values import Error, Json, Message, ToolCall
from loopspec.contract.workspaces import Entry

# The entries of each source in order, as JSON: what `path` in a known difference walks through.
Outcome = Mapping[str, Json]

# The kinds of error of a read, as a reader sees them in a difference.
MISSING_FILE, ANOTHER_ERROR = "a missing-file error", "another error"
# How a scene can end without an observation.
TROUBLE = "trouble"
# Kinds of errors that no rule distinguishes from any other error.
_SOME_ERROR = frozenset({"other", "invalid_config", "outside_run"})


def outcome_of(scene: Scene, seen: Observation, shared: frozenset[Capability]) -> Outcome:
    """The sources of an Observation. `shared` are the capabilities of both targets.

    Places in the record, texts of errors and warnings, and ids of interrupts are omitted. Entries keep the order of
    their source; calls that a model requests together are in the order of their ids.
    """
    if scene.act in ("load", "create"):
        return _of_load(seen)
    if scene.act == "read workspace":
        return _of_reading(scene, seen)
    if scene.act == "read":
        return _of_reads(scene, seen)
    return _of_runs(scene, seen, shared)


def trouble(what: str) -> Outcome:
    """The outcome of a target that crashes, or does not return."""
    return {TROUBLE: what}


# -- loads -------------------------------------------------------------------------------------------------------------


def _of_load(seen: Observation) -> Outcome:
    return {
        "created": _error(seen.created),
        "loads": [
            {"error": _error(load.error), "files": [{"path": one.path, "text": one.text} for one in load.sections]}
            for load in seen.loads
        ],
        "warnings": [posixpath.normpath(warning.path) for warning in seen.warnings],
        "reads": [{"path": read.path, "offset": read.offset, "limit": read.limit} for read in seen.reads],
    }


# -- runs --------------------------------------------------------------------------------------------------------------


def _of_runs(scene: Scene, seen: Observation, shared: frozenset[Capability]) -> Outcome:
    apart = {run.id for run in scene.runs if run.together} and {run.id for run in scene.runs}
    in_turn = scene.agent.sequential
    return {
        "created": None if seen.created is None else "an error",
        "runs": [_run(end, shared) for end in sorted(seen.runs, key=lambda end: end.run)],
        "model calls": _grouped((call.run, call.model, _model_call(call, shared)) for call in seen.model_calls),
        "events": _grouped((event.run, "", _event(event)) for event in _in_order(seen, in_turn)),
        "tool runs": _tool_runs(seen.tool_runs, shared),
        "hooks": _hooks(seen.hooks, shared),
        "questions": _grouped(
            (one.run, f"{one.agent} {one.what}", _question(one))
            for one in seen.questions
            if one.what != "sleep" or "clock" in shared
        ),
        "waits": [{"run": one.run, "contributed": one.contributed, "outcome": one.outcome} for one in seen.waits],
        "trace": {} if apart else _traces(seen, in_turn),
    }


def _grouped(entries: Iterable[tuple[str | None, str, Json]]) -> dict[str, list[Json]]:
    """The entries of each source: one run and one double."""
    found: dict[str, list[Json]] = {}
    for run, name, entry in entries:
        found.setdefault(f"run {run} {name}".strip(), []).append(entry)
    return dict(sorted(found.items()))


def _error(error: Error | None) -> Json:
    """The code of an error of the harness; the kind of another one, if a rule names the kind."""
    if error is None:
        return None
    if error.kind == "retries_exhausted":
        return {"kind": error.kind, "last": error.cause.code if error.cause else None}
    if error.code:
        return error.code
    return "an error" if error.kind in _SOME_ERROR else error.kind


def _run(end: RunEnd, shared: frozenset[Capability]) -> Json:
    return {
        "run": end.run,
        "error": _error(end.error),
        "interrupted": end.interrupted,
        "interrupts": sorted(str(one.info) for one in end.interrupts),
        "cancelled": None
        if end.cancelled is None
        else {
            "modes": sorted(end.cancelled.modes),
            "escalated": end.cancelled.escalated,
            "timed out": end.cancelled.timed_out,
        },
        "session": end.session if "session-values" in shared else {},
    }


def _call(call: ToolCall) -> Json:
    return {"id": call.id, "name": call.name, "args": _arguments(call.args)}


def _arguments(text: str) -> Json:
    """Arguments that are JSON are compared by value."""
    try:
        return json.loads(text, parse_int=float)
    except ValueError:
        return text


def _message(message: Message) -> Json:
    parts = [f"image:{part.url}" if part.url else part.text for part in message.parts]
    return {
        "role": message.role,
        "content": message.content,
        "parts": parts,
        "calls": [_call(call) for call in message.tool_calls],
        "call id": message.tool_call_id or "",
    }


def _model_call(call: ModelCall, shared: frozenset[Capability]) -> Json:
    request = call.request
    return {
        "messages": [_message(message) for message in request.messages],
        "tools": list(call.tools),
        "deferred tools": [tool.name for tool in request.deferred_tools],
        "tool search": request.tool_search.name if request.tool_search else None,
        "streaming": request.streaming,
        "context": call.context if "context-values" in shared else {},
    }


def _event(event: Event) -> Json:
    chunks = None if event.chunks is None else [_message(chunk) for chunk in event.chunks]
    return {
        "agent": event.agent,
        "message": _message(event.message) if event.message else None,
        "chunks": chunks,
        "custom": event.custom,
        "error": _error(event.error),
        "exits": event.exits,
    }


def _in_order(seen: Observation, in_turn: bool) -> list[Event]:
    """The events of each run; where calls are made together, their results in the order of their ids.

    Such calls send their custom events before their own results, and in any order with the results of the others: the
    custom events before the last result come first.
    """
    found = sorted(seen.events, key=lambda event: event.run)  # stable: the events of a run keep their order
    if in_turn:
        return found
    ordered: list[Event] = []
    for _, group in groupby(found, key=lambda event: (event.run, _is_of_calls(event))):
        events = list(group)
        results = [at for at, event in enumerate(events, 1) if _result_of(event)]
        end = results[-1] if len(results) > 1 or (results and _calls_together(seen)) else 0
        ordered += [*sorted(events[:end], key=_place_among_calls), *events[end:]]
    return ordered


def _calls_together(seen: Observation) -> bool:
    """Whether an answer of a model has several calls."""
    return any(len(_calls_of(call)) > 1 for call in seen.model_calls)


def _is_of_calls(event: Event) -> bool:
    return event.custom is not None or bool(_result_of(event))


def _place_among_calls(event: Event) -> tuple[str, str]:
    return _result_of(event), "" if event.custom is None else json.dumps(event.custom)


def _result_of(event: Event) -> str:
    """The id of the call whose result an event is; empty for other events."""
    messages = [event.message] if event.message else list(event.chunks or ())
    return next((message.tool_call_id or "" for message in messages if message.role == "tool"), "")


def _tool_runs(runs: Iterable[ToolRun], shared: frozenset[Capability]) -> Json:
    found = sorted(runs, key=lambda run: (run.run or "", run.call.id))
    return _grouped(
        (
            run.run,
            run.tool,
            {
                "call": _call(run.call),
                "kind": run.kind,
                "resumed": None if run.resumed is None else {"data": run.resumed.data},
                "options": run.options,
                "found": run.found,
                "context": run.context if "context-values" in shared else {},
            },
        )
        for run in found
    )


def _hooks(hooks: Iterable[HookCall], shared: frozenset[Capability]) -> Json:
    found = sorted(hooks, key=lambda call: call.call_id or "")  # stable: other hooks keep their order
    return _grouped((call.run, f"{call.hook} {call.handler}", _hook(call, shared)) for call in found)


def _has_tools(call: HookCall, shared: frozenset[Capability]) -> bool:
    return "reports-tools" in shared or call.hook in ("around model", "around tool")


def _hook(call: HookCall, shared: frozenset[Capability]) -> Json:
    return {
        "messages": [_message(message) for message in call.messages],
        "tools": list(call.tools or ()) if _has_tools(call, shared) else [],
        "deferred tools": list(call.deferred_tools),
        "instruction": call.instruction if "reports-instruction" in shared else None,
        "return directly": sorted(call.return_directly or ()) if "reports-return-directly" in shared else [],
        "tool": call.tool,
        "call id": call.call_id,
        "kind": call.kind,
        "args": None if call.args is None else _arguments(call.args),
        "options": call.options,
        "found": call.found,
        "missing": sorted(call.missing),
        "refused": sorted(call.refused),
        "answer": call.answer,
        "context": call.context if "context-values" in shared else {},
    }


def _question(question: Question) -> Json:
    # the time of a back-off is the implementation's own, and may be random
    number = None if question.what == "sleep" else question.number
    return {"number": number, "error": _error(question.error), "answer": question.answer}


def _traces(seen: Observation, in_turn: bool) -> Json:
    """The calls of each agent, indented by what they happen inside of; none where calls are made together."""
    if not in_turn and _calls_together(seen):
        return {}
    known = {span.n: span for span in seen.spans}
    return _grouped((span.run, span.agent, "  " * _depth(span, known) + span.name) for span in seen.spans)


def _calls_of(call: ModelCall) -> tuple[ToolCall, ...]:
    return call.answer.tool_calls if call.answer else ()


def _depth(span: Span, known: Mapping[int, Span]) -> int:
    if span.inside is None or span.inside not in known:
        return 0
    return 1 + _depth(known[span.inside], known)


# -- reads of a backend ------------------------------------------------------------------------------------------------


def _of_reads(scene: Scene, seen: Observation) -> Outcome:
    """The content or the kind of error of each read, and the names that the backend refuses.

    An error is the missing-file error or another one. A line ending after the last line of a range is not compared.
    """
    requests = [step.requests[0] for step in scene.backend if isinstance(step, Ask)]
    return {
        "answers": [_answered(*pair) for pair in zip(seen.answers, requests, strict=False)],
        "refused": [call.path for call in seen.store_calls if call.error and call.error.kind == "cannot_store"],
    }


def _answered(answer: Answered, request: ReadRequest) -> Json:
    return {"path": answer.path, "result": _result_of_read(answer, request)}


def _result_of_read(answer: Answered, request: ReadRequest) -> Json:
    """The content in quotation marks, or the kind of error; None for no content object."""
    if answer.error is not None:
        return MISSING_FILE if answer.error.kind == "not_exist" else ANOTHER_ERROR
    if answer.content is None:
        return None
    content = answer.content.data.decode(errors="backslashreplace")
    if request.offset != 1 or request.limit:
        content = content.removesuffix("\n")
    return f'"{content}"'


# -- readings of a workspace -------------------------------------------------------------------------------------------


def _of_reading(scene: Scene, seen: Observation) -> Outcome:
    """The loaded files in order with the bytes of each, and how often each line of a file is loaded.

    Texts around files and imports, warnings, errors' kinds and paths of empty files are omitted: no rule judges them.
    """
    assert scene.workspace is not None, "the act reads a workspace"
    entries = scene.workspace.entries
    return {
        "loads": [{"error": "an error"} if load.error else {"files": _files(load, entries)} for load in seen.loads],
        "texts": [{line: (load.text or "").count(line) for line in _lines(entries)} for load in seen.loads],
    }


def _files(load: Load, entries: Mapping[str, Entry]) -> list[Json]:
    return [{"path": one.path, "bytes": _loaded(one.text, entries.get(one.path))} for one in load.sections]


def _loaded(text: str, entry: Entry | None) -> int | None:
    """The bytes of a file with which a text begins, without blanks at the end; None if the file is no text."""
    if entry is None or entry.text is None:
        return None
    content = entry.text.rstrip()
    same = next((at for at, pair in enumerate(zip(content, text, strict=False)) if pair[0] != pair[1]), None)
    return len(content[: min(len(content), len(text)) if same is None else same].encode())


def _lines(entries: Mapping[str, Entry]) -> Iterator[str]:
    """The lines of the files that no tool changes: neither first lines nor imports."""
    found = (line for one in entries.values() for line in one.content.decode(errors="replace").splitlines())
    return iter(dict.fromkeys(line for line in found if line.startswith("A line of ")))
