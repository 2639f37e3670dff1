"""What an Observation shows, as Then steps that hold for the Observation."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple, TypeVar

from loopspec.contract.mismatch import Mismatch
from loopspec.contract.observation import Event, HookCall, Load, ModelCall, Observation, RunEnd
from loopspec.contract.scene import Scene
from loopspec.contract.values import Message

from ..builders.scenario import Check, ScenarioBuilder
from ..cells import as_cell, as_content, names_text, quoted, times
from ..declarations import NotWritable, PhraseError, Rows, SeenColumns
from ..holes import FAULTS, MODES
from ..phrasebook import WrittenStep
from ..then.ends import REASONS, REQUESTS, final_text
from ..then.events import EVENTS
from ..then.observed import MESSAGES, events_of, spans_of, trace
from .steps import some, take_step
from .workspaces import workspace_thens

S = TypeVar("S")

_LONG = 200  # bytes of a content: a longer one is in no step


class Expectation(NamedTuple):
    """A Then with its check, and the source of the Observation that it reads."""

    source: str
    step: WrittenStep
    check: Check


def expectations(scene: Scene, given: Sequence[WrittenStep], seen: Observation) -> tuple[Expectation, ...]:
    """The Thens that hold for an Observation of the Scene, which `given` builds; each with its check.

    The order is: how runs end, then model calls, events, tools, hooks and traces.
    """
    builder = ScenarioBuilder()
    for step in given:
        take_step(builder, step)
    found = []
    for source, steps in _candidates(scene, seen):
        for step in _writable(steps):
            check = _check(builder, step)
            if check is not None and holds(check, seen):
                found.append(Expectation(source, step, check))
    return tuple(found)


def holds(check: Check, seen: Observation) -> bool:
    """Whether a check passes for an Observation."""
    try:
        check(seen)
    except Mismatch:
        return False
    return True


def _check(builder: ScenarioBuilder, step: WrittenStep) -> Check | None:
    if not step.text.isprintable() or step.text != step.text.strip():
        return None
    try:
        return take_step(builder, step)
    except PhraseError:  # a text that the sentence cannot hold
        return None


def _candidates(scene: Scene, seen: Observation) -> Iterator[tuple[str, Iterator[WrittenStep]]]:
    """Thens by the source of the Observation that they read. Those that do not hold are left out later."""
    if scene.act in ("load", "create"):
        yield "loads", _load_thens(scene, seen)
        yield "warnings", _warning_thens(seen)
        yield "reads", _naming("the files read are", [read.path for read in seen.reads])
        return
    if scene.act == "read":
        yield "answers", _read_thens(seen)
        return
    if scene.workspace is not None:
        for load in seen.loads:
            yield "loads", workspace_thens(scene, load)
        return
    in_turn = scene.agent.sequential or all(
        call.answer is None or len(call.answer.tool_calls) < 2 for call in seen.model_calls
    )
    for end in seen.runs:
        yield "runs", _end_thens(seen, end)
    for number, call in enumerate(seen.model_calls, 1):
        yield "model calls", _model_call_thens(number, call)
    yield "model calls", iter([_then(f"the model is called {times(len(seen.model_calls))}")])
    for end in seen.runs:
        yield "events", _event_thens(events_of(seen, end.run), end.run, in_turn)
    if seen.waits:
        yield (
            "waits",
            iter([_table("the cancel requests return", REQUESTS, [one.name for one in REQUESTS], seen.waits)]),
        )
    yield "tool runs", _tool_thens(scene, seen)
    yield "hooks", _hook_thens(seen, in_turn)
    for end in seen.runs if in_turn else ():
        yield "trace", _trace_thens(seen, end.run)


def _writable(steps: Iterator[WrittenStep]) -> Iterator[WrittenStep]:
    """The steps before the first text that no step can hold."""
    with suppress(NotWritable):
        yield from steps


def _naming(start: str, names: Sequence[str]) -> Iterator[WrittenStep]:
    """A Then that ends with a list of names, unless a name cannot be in a list."""
    with suppress(NotWritable):
        yield _then(f"{start} {names_text(names)}")


def _then(text: str, table: Rows = (), docstring: str | None = None) -> WrittenStep:
    return WrittenStep("then", text, table, docstring)


def _table(text: str, columns: SeenColumns[S], names: Sequence[str], entries: Iterable[S]) -> WrittenStep:
    """A Then with a table of entries in the columns with these names."""
    rows = [tuple(as_cell(columns[name].seen_text(entry)) for name in names) for entry in entries]
    return _then(text, (tuple(names), *rows))


def _end_thens(seen: Observation, end: RunEnd) -> Iterator[WrittenStep]:
    run = end.run
    if end.interrupted:
        yield from _naming(f"run {run} is interrupted by", [str(one.info) for one in end.interrupts])
        yield _then(f"run {run} is interrupted")
    text = as_cell(final_text(seen, int(run)) or "", keep='"')
    yield _then(f'the final answer is "{text}"' if run == "1" else f'the final answer of run {run} is "{text}"')
    yield _then(f"run {run} succeeds")
    if error := end.error:
        yield _then(f'the retries are exhausted, with the last error "{error.cause and error.cause.code}"')
        yield _then(f'the run fails with the error "{error.code}"')
        yield _then(f"{'the run' if run == '1' else f'run {run}'} fails because {REASONS.text_of(error.kind)}")
        yield _then("the run fails")
    for key, value in end.session.items():
        yield _then(f'afterwards the session has the value "{value}" under "{key}"')


def _event_thens(events: Sequence[Event], run: str, in_turn: bool) -> Iterator[WrittenStep]:
    """The events; in any order, if calls are made together."""
    names = ["event", "role", "content"]
    if any(event.chunks is not None for event in events):
        names += ["chunks", "ends with"]
    start = "the events are" if run == "1" else f"the events of run {run} are"
    for head in (names, [*names, "agent"]) if events else ():
        yield _table(start if in_turn else "in any order, the events are", EVENTS, head, events)


def _trace_thens(seen: Observation, run: str) -> Iterator[WrittenStep]:
    for agent in dict.fromkeys(span.agent for span in seen.spans if span.run == run and span.agent):
        spans = [span for span in spans_of(seen, agent, run) if not span.name.startswith("create ")]
        of_agent = "the trace is" if run == "1" else f"the trace of run {run} is"
        yield _then(of_agent if agent == "agent" else f'the trace of "{agent}" is', docstring="\n".join(trace(spans)))


def _model_call_thens(number: int, call: ModelCall) -> Iterator[WrittenStep]:
    if call.messages:
        yield _messages(f"model call {number} receives", call.messages)
    start = f"model call {number} receives"
    yield _then(some(f"{start} the tools", call.tools, f"{start} no tools"))
    yield _then(f"model call {number} is {MODES.text_of(call.request.streaming)}")
    deferred = [tool.name for tool in call.request.deferred_tools]
    yield _then(some(f"{start} the deferred tools", deferred, f"{start} no deferred tools"))


def _messages(text: str, messages: Sequence[Message]) -> WrittenStep:
    names = ["role", "content"]
    for name in ("calls", "arguments", "call id", "parts"):
        names += [name] if {MESSAGES[name].seen_text(message) for message in messages} - {"", "{}"} else []
    return _table(text, MESSAGES, names, messages)


def _tool_thens(scene: Scene, seen: Observation) -> Iterator[WrittenStep]:
    known = [tool.name for tool in scene.agent.tools if not tool.agent]
    for name in dict.fromkeys((*known, *(run.tool for run in seen.tool_runs))):
        runs = [run for run in seen.tool_runs if run.tool == name]
        yield _then(f'the tool "{name}" runs {times(len(runs))}' if runs else f'the tool "{name}" never runs')
        for number, run in enumerate(runs, 1):
            yield _then(f'call {number} of the tool "{name}" receives the arguments "{run.call.args}"')
            if run.resumed:
                yield _then(f'call {number} of the tool "{name}" receives the resume data "{run.resumed.data}"')


def _hook_thens(seen: Observation, in_turn: bool) -> Iterator[WrittenStep]:
    calls: dict[tuple[str, str], list[HookCall]] = {}
    for call in seen.hooks:
        calls.setdefault((call.handler, call.hook), []).append(call)
    for (handler, hook), of_hook in calls.items():
        yield _then(f'"{handler}" is called {times(len(of_hook))} {hook}')
        for number, call in enumerate(of_hook if in_turn or hook != "around tool" else (), 1):
            where = f"{hook} call {number}" if number > 1 else hook
            yield from _writable(_hook_call_thens(where, handler, call))


def _hook_call_thens(where: str, handler: str, call: HookCall) -> Iterator[WrittenStep]:
    start = f'{where}, "{handler}"'
    if call.messages:
        yield _messages(f"{start} sees the messages", call.messages)
    if call.args is not None:
        yield _then(f'{start} receives the arguments "{call.args}"')
    if call.instruction is not None and call.hook == "before agent":
        yield _then(f'{start} sees the instruction "{quoted(call.instruction)}"')
    if call.return_directly is not None and call.hook == "before agent":
        yield _then(f"{start} sees the return-directly tools {names_text(call.return_directly)}")
    if call.tools is not None:
        yield _then(some(f"{start} sees the tools", call.tools, f"{start} sees no tools"))
    for key, value in call.found.items():
        yield _then(f'{start} finds "{value}" under "{key}"')
    for key in call.missing:
        yield _then(f'{start} finds nothing under "{key}"')
    if call.answer is not None:
        yield _then(f'{start} receives the answer "{quoted(call.answer)}"')


def _load_thens(scene: Scene, seen: Observation) -> Iterator[WrittenStep]:
    if scene.act == "create" or seen.created:
        yield from map(_then, ("creating the middleware fails", "creating the middleware succeeds"))
    for load in seen.loads:
        yield from _writable(_outcome_of_load(load))


def _warning_thens(seen: Observation) -> Iterator[WrittenStep]:
    yield from _naming("the warnings name, in this order,", [posixpath.normpath(one.path) for one in seen.warnings])
    yield _then("no warning is given")


def _outcome_of_load(load: Load) -> Iterator[WrittenStep]:
    if load.error:
        yield from (_then(f"loading fails with {word.text}") for word in FAULTS.words)
        yield _then("loading fails")
        return
    yield _then(some("the loaded files are", [one.path for one in load.sections], "no file is loaded"))
    for section in load.sections:
        if section.text == section.text.strip() and section.text.replace("\n", " ").isprintable():
            yield _then(f'the section of "{section.path}" is exactly', docstring=section.text)


def _read_thens(seen: Observation) -> Iterator[WrittenStep]:
    """The Thens about the reads of a backend, each by its number."""
    for number, answer in enumerate(seen.answers, 1):
        data = answer.content.data if answer.content else b""
        if len(data) <= _LONG:
            yield _then(f'read {number} returns "{as_content(data)}"')
        yield _then(f"read {number} fails with a missing-file error")
        yield _then(f"read {number} fails, but not with a missing-file error")
