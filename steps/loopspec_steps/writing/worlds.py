"""Files, configuration, conversation and runs of a scene as Given steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import to_builtins

from loopspec.contract.agents import Config
from loopspec.contract.scene import Cancel, File, Run, Scene
from loopspec.contract.values import Json

from ..builders.scene import HELLO
from ..cells import as_content, json_text, plain, quoted
from ..declarations import NotWritable, within
from ..gates import gate_text
from ..given.files import CONTENT, PATH_COLUMN
from ..given.parts import CONFIG, FILE, RUN, RUNS, SCENE
from ..given.runs import givens_of
from ..holes import POINTS
from ..phrasebook import WrittenStep
from .steps import given

_Values = Mapping[str, Json]


def world_steps(scene: Scene) -> Iterator[WrittenStep]:
    """The Givens of files, languages, configuration and conversation."""
    for at, language in enumerate(scene.languages):
        with within(f"languages[{at}]"):
            name = quoted(language)
        yield given(f'the language is then changed to "{name}"' if at else f'the language is "{name}"')
    yield from _file_steps(scene.files)
    if scene.instructions:
        with within("instructions"):
            yield from CONFIG.write(scene.instructions, Config())
    yield from SCENE.write(scene, Scene(act=scene.act, messages=(HELLO,), instructions=Config()))
    for text in givens_of(scene.held):
        yield given(text.removeprefix("And "))


def _file_steps(files: Mapping[str, File]) -> Iterator[WrittenStep]:
    rows = []
    for path, file in files.items():
        with within(f"files[{path!r}]"):
            if file.repeat != 1:
                raise NotWritable("a repeated content is not written", "repeat")
            if file.text is not None or file.base64 is not None:
                rows.append((plain(path), as_content(file.content)))
    if rows:
        yield WrittenStep("given", "the files", ((PATH_COLUMN.name, CONTENT.name), *rows))
    for path, file in files.items():
        with within(f"files[{path!r}]"):
            yield from FILE.write(file, File(), path=quoted(path))


# -- runs --------------------------------------------------------------------------------------------------------------


def run_steps(runs: Sequence[Run]) -> Iterator[WrittenStep]:
    """The Givens about the runs: what they have, then what single runs have."""
    if not runs:
        return
    yield from RUNS.write(runs[0], Run(id=""))
    yield from _value_steps("session", {str(number): run.session for number, run in enumerate(runs, 1)})
    for number, run in enumerate(runs, 1):
        with within(f"runs[{number - 1}]"):
            same = run.messages if run.resume else runs[0].messages  # those of the conversation are written with it
            yield from RUN.write(run, Run(id=run.id, messages=same), run=str(number))
            yield from (_cancel_step(number, cancel) for cancel in run.cancels)
            if run.dies is not None:
                where = f"in run {number}, " if number > 1 else ""
                yield given(f"{where}the process dies when {gate_text(run.dies, str(number))}")
    for name in ("answers", "call_answers", "decisions"):
        of_runs = {str(number): getattr(run, name) for number, run in enumerate(runs, 1) if run.resume}
        yield from _value_steps(name, of_runs)


def _value_steps(name: str, of_runs: Mapping[str, _Values]) -> Iterator[WrittenStep]:
    """Values of a field that all of these runs have, and then values of single runs."""
    same = _shared(list(of_runs.values()))
    for key, value in same.items():
        with within(f"runs.{name}[{key!r}]"):
            yield RUNS.entry(name, {key: value})
    for run, values in of_runs.items():
        for key, value in values.items():
            if key not in same:
                with within(f"runs[{int(run) - 1}].{name}[{key!r}]"):
                    yield RUN.entry(name, {key: value}, run=run)


def _shared(of_runs: Sequence[_Values]) -> dict[str, Json]:
    """The values that all runs have. Equal values are written equally: `0` and `false` differ."""
    if not of_runs:
        return {}
    first, *others = of_runs

    def text(value: object) -> str:
        return json_text(to_builtins(value))

    return {
        key: value
        for key, value in first.items()
        if all(key in other and text(other[key]) == text(value) for other in others)
    }


def _cancel_step(number: int, cancel: Cancel) -> WrittenStep:
    if (number > 1) + (cancel.timeout is not None) + cancel.recursive > 1:
        raise NotWritable("a phrase has a numbered run, a timeout, or sub-agents", "cancels")
    also = ", also in sub-agents," if cancel.recursive else ","
    if cancel.timeout is not None:
        also = f", or after {cancel.timeout:g} seconds,"
    where = f"in run {number}, " if number > 1 else ""
    request = f"a cancel request, which takes effect {POINTS.write(cancel.modes)}{also}"
    with within("cancels"):
        return given(f"{where}{request} is made when {gate_text(cancel.at, str(number))}")
