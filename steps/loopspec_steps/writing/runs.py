"""The runs of a scene as Given steps: histories, sessions, modes, cancel requests and answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from loopspec.contract.scene import Run, Scene
from loopspec.contract.values import Json

from ..holes import POINTS
from .clauses import gate_text
from .steps import NotWritable, WrittenStep
from .texts import json_text, quoted

_Values = Mapping[str, Json]


def run_steps(scene: Scene) -> Iterator[WrittenStep]:
    """The Givens about the runs."""
    for number, run in enumerate(scene.runs, 1):
        if run.history:
            kept = "" if run.history.keep_extra else ", without extra data"
            yield _given(f"the caller starts run {number} with the conversation of run {run.history.run}{kept}")
    if not scene.runs:
        return
    yield from _session_steps(scene.runs)
    if scene.runs[0].streaming:
        yield _given("a streaming run")
    if scene.runs[0].cancellable:
        yield _given("a run that can be cancelled")
    for number, run in enumerate(scene.runs, 1):
        yield from _cancel_steps(number, run)
    yield from _answer_steps(scene.runs)


def _given(text: str) -> WrittenStep:
    return WrittenStep("given", text)


def _session_steps(runs: Sequence[Run]) -> Iterator[WrittenStep]:
    """Values of all runs, then values of single runs."""
    same = _shared([run.session for run in runs])
    for key, value in same.items():
        yield _given(f"a session in which {_session_value(key, value, number=True)}")
    for number, run in enumerate(runs, 1):
        for key, value in run.session.items():
            if key not in same:
                yield _given(f"a session of run {number} in which {_session_value(key, value)}")


def _session_value(key: str, value: Json, *, number: bool = False) -> str:
    """A key and its value. `number`: the phrase has a form for numbers."""
    name = quoted(key, f"runs.session[{key!r}]")
    if number and isinstance(value, int) and not isinstance(value, bool):
        return f'"{name}" is the number {value}'
    return f'"{name}" is {_value(value)}'


def _value(value: Json) -> str:
    """A text in quotes if possible, else a JSON value."""
    if isinstance(value, str) and '"' not in value and (value.isprintable() or not value):
        return f'"{value}"'
    return f"the JSON value {json_text(value)}"


def _shared(of_runs: Sequence[_Values]) -> dict[str, Json]:
    """The values that all runs have. Equal values are written equally: `0` and `false` differ."""
    first, *others = of_runs
    return {
        key: value
        for key, value in first.items()
        if all(key in other and json_text(other[key]) == json_text(value) for other in others)
    }


def _cancel_steps(number: int, run: Run) -> Iterator[WrittenStep]:
    for at, cancel in enumerate(run.cancels):
        field = f"runs[{number - 1}].cancels[{at}]"
        if number > 1 and (cancel.timeout is not None or cancel.recursive):
            raise NotWritable(field, "no phrase has a numbered run and a timeout, or a numbered run and sub-agents")
        gate = gate_text(cancel.at, f"{field}.at", str(number))
        if cancel.timeout is not None and cancel.recursive:
            raise NotWritable(field, "no phrase has a timeout and sub-agents")
        also = ", also in sub-agents," if cancel.recursive else ""
        if cancel.timeout is not None:
            also = f", or after {cancel.timeout:g} seconds,"
        where = f"in run {number}, " if number > 1 else ""
        mode = POINTS.text_of(cancel.modes)
        yield _given(f"{where}a cancel request that takes effect {mode}{also} is made when {gate}")


def _answer_steps(runs: Sequence[Run]) -> Iterator[WrittenStep]:
    """The data of resumed calls: by tool, by call, then by call in one run."""
    for tool, answer in {tool: answer for run in runs for tool, answer in run.answers.items()}.items():
        field = f"runs.answers[{tool!r}]"
        text = quoted(str(answer), field)
        yield _given(f'the caller resumes the tool "{quoted(tool, field)}" with "{text}"')
    resumed = {number: run.call_answers for number, run in enumerate(runs, 1) if run.resume}
    same = _shared(list(resumed.values())) if resumed else {}
    for call, answer in same.items():
        name = quoted(call, f"runs.call_answers[{call!r}]")
        yield _given(f'the caller resumes the call "{name}" with {_value(answer)}')
    for number, answers in resumed.items():
        for call, answer in answers.items():
            if call not in same:
                yield _answer_in_run(number, call, answer)


def _answer_in_run(number: int, call: str, answer: Json) -> WrittenStep:
    field = f"runs[{number - 1}].call_answers[{call!r}]"
    if not isinstance(answer, str):
        raise NotWritable(field, f"no phrase resumes a call of one run with {json_text(answer)}")
    name, text = quoted(call, field), quoted(answer, field)
    name, text = quoted(call, field), quoted(answer, field)
    return _given(f'in run {number}, the caller resumes the call "{name}" with "{text}"')
