"""What a scene plans, compared with what happened: a part that never happened shows nothing about a rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..contract.actions import Action, Hold
from ..contract.agents import Script
from ..contract.mismatch import Mismatch
from ..contract.observation import HookCall, Observation, RunEnd
from ..contract.scene import Ask, BackendStep, Meanwhile, Planned, Repeat, Run, Scene
from ..specification.cases import Case
from ..stage import SceneIndex


@dataclass(frozen=True)
class Missed:
    """A planned part of a scene that never happened: its kind, and a sentence about the part."""

    kind: Planned
    sentence: str


def everything_planned_happened(case: Case, seen: Observation) -> None:
    """Raise `Mismatch` if a planned part of the scene never happened, unless a Then states that the part is missing."""
    sentences = [one.sentence for one in never_happened(case, seen)]
    if sentences:
        raise Mismatch(sentences[0], "every planned part of the scene happens", sentences)


def never_happened(case: Case, seen: Observation) -> list[Missed]:
    """Return the planned parts that never happened, without those that a Then of the case states to be missing."""
    waived = {kind for _, check in case.checks for kind in check.phrase.waives}
    if seen.created and "runs" in waived:  # a rejected construction leaves nothing to happen
        return []
    return [one for one in _missed(case.scene, seen) if one.kind not in waived]


def _missed(scene: Scene, seen: Observation) -> Iterator[Missed]:
    yield from _runs(scene, seen)
    yield from (Missed("requests", sentence) for sentence in seen.missed)
    yield from (Missed("holds", f"{call} was to be held and never began") for call in _held_calls(scene, seen))
    yield from (Missed("results", f"{part} was planned and never ended") for part in _results(scene, seen))


def _runs(scene: Scene, seen: Observation) -> Iterator[Missed]:
    ended = {end.run: end for end in seen.runs}
    for run in scene.runs if scene.act == "run" else ():
        stopped = ended.get(run.resume or "")
        if not _is_due(run, stopped):
            continue
        if run.id not in ended:
            yield Missed("runs", f"run {run.id} was planned and never began")
        if stopped and not stopped.interrupted and stopped.cancelled is None:
            yield Missed("resumptions", f"run {run.id} was to resume run {run.resume}, which had not stopped")


def _is_due(run: Run, before: RunEnd | None) -> bool:
    """Whether a run must take place after the run that it resumes; None: that one did not take place itself."""
    if before is None:
        return run.continues(cancelled=False, interrupted=False)
    return run.continues(before.cancelled is not None, before.interrupted)


def _held_calls(scene: Scene, seen: Observation) -> Iterator[str]:
    """The calls that the scene holds and that never began."""
    index = SceneIndex(scene)
    read, called = {read.path for read in seen.reads}, {call.tool for call in seen.tool_runs}
    yield from (f"the read of {path}" for path, file in scene.files.items() if file.held and path not in read)
    for model in index.models.values():
        lines = [index.lineage(call.run) for call in seen.model_calls if call.model == model.name]
        numbers = (sum(call.model == model.name and call.run in line for call in seen.model_calls) for line in lines)
        most = max(numbers, default=0)
        held = [number for number, turn in enumerate(model.turns, 1) if turn.held or turn.waits]
        yield from (f'answer {number} of "{model.name}"' for number in held if number > most)
    for tool in index.tools.values():
        if (tool.held or tool.waits or _holds(tool.actions)) and tool.name not in called:
            yield f'the call of "{tool.name}"'
    for handler, scripts in index.scripts.items():
        calls = [call for call in seen.hooks if call.handler == handler]
        held_hooks = (script for script in scripts if _holds(script.actions))
        yield from (f'{script.hook} "{handler}"' for script in held_hooks if not _reached(script, calls))


def _holds(actions: Iterable[Action]) -> bool:
    return any(isinstance(action, Hold) for action in actions)


def _reached(script: Script, calls: Iterable[HookCall]) -> bool:
    """Whether a call of the hook was one of the calls of the script."""
    numbers: Counter[str | None] = Counter()
    for call in calls:
        if call.hook == script.hook:
            numbers[call.run] += 1
            fits = not script.calls or numbers[call.run] in script.calls
            if fits and (not script.tools or call.tool in script.tools):
                return True
    return False


def _results(scene: Scene, seen: Observation) -> Iterator[str]:
    """The planned parts with a result of their own, where the result is missing."""
    match scene.act:
        case "load" | "load through" | "read workspace":
            if not seen.loads:
                yield "the load"
        case "hook":
            yield from (f"call {number} of the hook" for number in range(len(seen.hook_results) + 1, scene.times + 1))
        case "read":
            asked = [path for step in scene.backend for path in _asked(step)]
            yield from (f"the read of {path}" for path in _lacking(asked, (answer.path for answer in seen.answers)))
        case "outside":
            done = (outside.what for outside in seen.outside)
            yield from (f'the action "{what}"' for what in _lacking(scene.tried, done))
        case "look up":
            found = (lookup.provider for lookup in seen.lookups)
            yield from (f'the lookup of "{provider}"' for provider in _lacking(scene.lookups, found))
        case _:
            return


def _asked(step: BackendStep) -> list[str]:
    """The paths whose reads are answers, once for each read."""
    match step:
        case Ask():
            return [request.file_path for request in step.requests]
        case Meanwhile():
            return [request.file_path for request in step.requests] * (len(step.steps) + 1)
        case Repeat():
            return [step.request.file_path] * 2
        case _:
            return []


def _lacking(planned: Iterable[str], happened: Iterable[str]) -> list[str]:
    return sorted((Counter(planned) - Counter(happened)).elements())
