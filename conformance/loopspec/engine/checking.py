"""Check an Observation: the checks of the case, the invariants, and what the scene plans.

A planned part that never happened shows nothing about a rule. An error that no Then expects explains what one misses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from ..contract.actions import Action, Hold, Script
from ..contract.faults import in_one_line
from ..contract.mismatch import Mismatch, expect, shown
from ..contract.observation import HookCall, Observation, RunEnd
from ..contract.reasons import Inapplicable
from ..contract.scene import Ask, BackendStep, Meanwhile, Planned, Repeat, Run, Scene, first_parts
from ..contract.values import Error
from ..specification.cases import Case, NotComparable, Step
from ..specification.invariants import case_of, looked_at
from ..stage import SceneIndex
from .result import IN_ORDER, Result, Verdict


def inapplicable(case: Case, reason: Inapplicable) -> Result:
    """The result of a case that does not apply, with the reason."""
    return Result(case.id, case.rule.ids, "inapplicable", message=str(reason), reason=reason)


def failed_at(
    case: Case, step: Step, verdict: Verdict, message: str, seconds: float = 0.0, seen: Observation | None = None
) -> Result:
    """The result of a case at a step, with its scene and the Givens of its form."""
    if case.givens:
        message = "\n".join((message, IN_ORDER, *case.givens))
    where = f"{case.file}:{step.line}"
    return Result(
        case.id, case.rule.ids, verdict, seconds, where, message, str(step), scene=case.scene, observation=seen
    )


def broken_suite(case: Case, step: Step, error: Exception, seconds: float, seen: Observation | None = None) -> Result:
    """The result for a bug of the suite, which is not the implementation's fault."""
    return failed_at(case, step, "errored", f"the suite itself failed: {in_one_line(error)}", seconds, seen)


def look(case: Case, seen: Observation, seconds: float = 0.0, without: Collection[str] = ()) -> Result:
    """Check an Observation from any source with the case's checks, and with the invariants.

    `without` are the rules of invariants that are left out.
    """
    if case.is_implied:
        return _look_at_invariant(case, seen, seconds)
    result = _problem(case, seen, seconds)
    if result is not None and (result.verdict != "failed" or seen.stuck):
        return result
    found = [*looked_at(case, seen, without)]
    holds = tuple([invariant.rule for invariant, no in found if no is None])
    broken = [_differing(case_of(case, invariant), case.when, seen, no) for invariant, no in found if no is not None]
    if result is None:
        return Result(case.id, case.rule.ids, "passed", seconds, holds=holds, broken=tuple(broken))
    return replace(result, holds=holds, broken=tuple(broken)) if found else result


def _look_at_invariant(case: Case, seen: Observation, seconds: float) -> Result:
    """Check one invariant alone."""
    for invariant, no in looked_at(case.base, seen):
        if invariant.name == case.form:
            passed = Result(case.id, case.rule.ids, "passed", seconds)
            return passed if no is None else _differing(case, case.when, seen, no, seconds)
    return inapplicable(case, Inapplicable("own-scene"))


def _problem(case: Case, seen: Observation, seconds: float) -> Result | None:
    """The result of a case that does not pass."""
    step, restored = case.when, seen
    try:
        if case.of and seen.unreached:
            return inapplicable(case, Inapplicable("in-turn"))
        expect("the calls that were held", (), seen.stuck + seen.unreached)
        restored = case.restored(seen)
        for step, check in case.checks:  # noqa: B007  # the last one is the failing step
            check(restored)
        step = case.when
        everything_planned_happened(case, seen)
    except NotComparable as why:
        return inapplicable(case, why.reason)
    except Mismatch as no:
        return _differing(case, step, seen, no, seconds, restored)
    except Exception as error:
        return broken_suite(case, step, error, seconds, seen)
    return None


def _differing(
    case: Case, step: Step, seen: Observation, no: Mismatch, seconds: float = 0.0, restored: Observation | None = None
) -> Result:
    """The result of a failed check, which an unexpected error of the observation may explain."""
    of = case.base if case.is_implied else case
    explained(no, [check for _, check in of.checks], restored or seen)
    result = failed_at(case, step, "failed", str(no), seconds, seen)
    return replace(result, expected=no.expected, seen=no.seen)


def explained(no: Mismatch, checks: Sequence[Callable[[Observation], object]], seen: Observation) -> None:
    """Add to a mismatch the first error of the observation that no check expects, unless it is named there."""
    for what, error, without in errors_of(seen):
        if not any(_passes(check, seen) and not _passes(check, without) for check in checks):
            if (error.message or error.code or error.kind) not in no.seen:
                no.add(f"{what} failed with {shown(error)}")
            return


def errors_of(seen: Observation) -> Iterator[tuple[str, Error, Observation]]:
    """What failed, the error, and the observation without the error. A cancelled run has no error of its own."""
    if seen.created:
        yield "building the agent", seen.created, replace(seen, created=None)
    for end in seen.runs:
        if end.error and end.cancelled is None:
            ends = tuple(replace(end, error=None) if one is end else one for one in seen.runs)
            yield f"run {end.run}", end.error, replace(seen, runs=ends)


def _passes(check: Callable[[Observation], object], seen: Observation) -> bool:
    try:
        check(seen)
    except Exception:  # the observation without the error is one that no target has made
        return False
    return True


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
        if stopped and not stopped.stopped:
            yield Missed("resumptions", f"run {run.id} was to resume run {run.resume}, which had not stopped")


def _is_due(run: Run, before: RunEnd | None) -> bool:
    """Whether a run must take place after the run that it resumes; None: that one did not take place itself."""
    if before is None:
        return run.continues(cancelled=False, interrupted=False)
    return run.continues(before.cancelled is not None, before.interrupted)


def _held_calls(scene: Scene, seen: Observation) -> Iterator[str]:
    """The calls that the scene holds and that never began."""
    index, first = SceneIndex(scene), first_parts(scene.runs)
    for path, file in scene.files.items():
        if file.held and all(read.path != path for read in seen.reads):
            yield f"the read of {path}"
    for model in index.models.values():
        if held := [number for number, turn in enumerate(model.turns, 1) if turn.held or turn.waits]:
            runs = [call.run for call in seen.model_calls if call.model == model.name]
            most = max([sum(run in index.lineage(last) for run in runs) for last in runs], default=0)
            yield from (f'answer {number} of "{model.name}"' for number in held if number > most)
    for tool in index.tools.values():
        if (tool.held or tool.waits or _holds(tool.actions)) and all(tool.name != call.tool for call in seen.tool_runs):
            yield f'the call of "{tool.name}"'
    for handler, scripts in index.scripts.items():
        for script in scripts:
            if _holds(script.actions) and not _reached(script, [h for h in seen.hooks if h.handler == handler], first):
                yield f'{script.hook} "{handler}"'


def _holds(actions: Iterable[Action]) -> bool:
    return any(isinstance(action, Hold) for action in actions)


def _reached(script: Script, calls: Iterable[HookCall], first: Mapping[str, str]) -> bool:
    """Whether a call of the hook was one of the calls of the script, counted over all parts of a run."""
    numbers: Counter[str | None] = Counter()
    for call in calls:
        if call.hook == script.hook:
            numbers[run := first.get(call.run or "", call.run)] += 1
            fits = not script.calls or numbers[run] in script.calls
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
