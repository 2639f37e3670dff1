"""What a scene reaches: the functions of the reference, each with the conditions under which it is entered."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from types import CodeType, FrameType
from typing import NamedTuple

import loopspec_reference
from loopspec.contract.faults import KitError
from loopspec.contract.harness import HarnessStage
from loopspec.contract.observation import Entry, ModelCall, Observation, RunEnd, Span
from loopspec.contract.roles import Role
from loopspec.contract.scene import Run, Scene
from loopspec.engine.perform import perform
from loopspec.stage import LiveStage
from loopspec.stage.record import current_run
from loopspec.targets.python import PythonTarget
from loopspec_reference_adapter import Reference

_REFERENCE = str(Path(loopspec_reference.__file__).parent)


class Reached(NamedTuple):
    """A function, and one condition or two under which it was entered."""

    function: str
    conditions: tuple[str, ...]


def conditions(scene: Scene, seen: Sequence[Entry], run: str | None) -> frozenset[str]:
    """The conditions that hold in a run, by the entries of the harness's record so far."""
    of_scene = {one.id: one for one in scene.runs}
    spec = of_scene.get(run or "", Run(id=""))
    line = {spec.id, spec.resume}
    spans = [one for one in seen if isinstance(one, Span) and one.run in line]
    calls = [one for one in seen if isinstance(one, ModelCall) and one.run in line]
    together = bool(calls and calls[-1].answer and len(calls[-1].answer.tool_calls) > 1)
    found = {
        "resumed run": spec.resume is not None,
        "later model call": sum(one.name.startswith("model ") for one in spans) > 1,
        "later tool call": sum(one.name.startswith("tool ") for one in spans) > 1,
        "in a sub-agent": bool(spans) and spans[-1].agent not in ("", scene.agent.name),
        "streaming": spec.streaming,
        "parallel": together and not scene.agent.sequential,
        "after a failure": any(one.error for one in spans),
        "after an interrupt": any(isinstance(one, RunEnd) and one.interrupted for one in seen),
        "second run": spec.id not in ("", scene.runs[0].id) and spec.resume is None,
    }
    return frozenset(name for name, holds in found.items() if holds)


class _Watched(PythonTarget):
    """The reference, whose entered functions are noted."""

    def __init__(self) -> None:
        super().__init__(Reference, "reference")
        self.reached: set[Reached] = set()

    def perform(self, stage: HarnessStage) -> None:
        """Perform the scene, and note each function of the reference with the conditions at that moment."""
        assert isinstance(stage, LiveStage), "the harness has made it"
        with self._profiled(stage):
            super().perform(stage)

    @contextmanager
    def _profiled(self, stage: LiveStage) -> Iterator[None]:
        known: dict[tuple[int, str | None], frozenset[str]] = {}
        noted: set[tuple[CodeType, frozenset[str]]] = set()

        def note(frame: FrameType, event: str, argument: object) -> None:
            if event != "call" or not frame.f_code.co_filename.startswith(_REFERENCE):
                return
            moment = (stage.record.n, current_run.get())
            if moment not in known:
                known[moment] = conditions(stage.scene, stage.record.of(Entry), moment[1])
            noted.add((frame.f_code, known[moment]))

        sys.setprofile(note)
        try:
            yield
        finally:
            sys.setprofile(None)
        for code, held in noted:
            name = f"{Path(code.co_filename).relative_to(_REFERENCE)}: {code.co_qualname}"
            self.reached |= {Reached(name, some) for size in (1, 2) for some in combinations(sorted(held), size)}

    def rebuilt(self) -> _Watched:
        """Return a new reference that notes into the same set."""
        new = _Watched()
        new.reached = self.reached
        return new


def reach(scene: Scene, role: Role) -> tuple[frozenset[Reached], Observation | None]:
    """Perform a scene on the reference: what it reaches, and the observation. None without one."""
    target = _Watched()
    try:
        seen = perform(target, scene, role, deadline=2.0)
    except KitError:
        return frozenset(), None
    return frozenset(target.reached), seen
