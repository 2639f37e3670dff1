"""What a scene reaches: the functions of the reference, each with the conditions under which it is entered."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from types import CodeType, FrameType
from typing import NamedTuple

import loopspec_reference
from loopspec.contract.faults import KitError
from loopspec.contract.harness import HarnessStage
from loopspec.contract.observation import Observation
from loopspec.contract.roles import Role
from loopspec.contract.scene import Scene
from loopspec.contract.specification import mutants
from loopspec.engine.perform import perform
from loopspec.stage import LiveStage
from loopspec.stage.record import current_run
from loopspec.targets.python import PythonTarget
from loopspec_reference_adapter import Reference

assert mutants(), "the mutants stand with the tests"
from loopspec_mutants.conditions import CONDITIONS, Watch  # noqa: E402  # found by `mutants`

_REFERENCE = str(Path(loopspec_reference.__file__).parent)


class Reached(NamedTuple):
    """A function, and one condition or two under which it was entered."""

    function: str
    conditions: tuple[str, ...]


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
        watch = Watch()
        watch.begin(stage)
        known: dict[tuple[int, str | None], frozenset[str]] = {}
        noted: set[tuple[CodeType, frozenset[str]]] = set()

        def note(frame: FrameType, event: str, argument: object) -> None:
            if event != "call" or not frame.f_code.co_filename.startswith(_REFERENCE):
                return
            moment = (stage.record.n, current_run.get())
            if moment not in known:
                known[moment] = frozenset(filter(watch.holds, CONDITIONS))
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
