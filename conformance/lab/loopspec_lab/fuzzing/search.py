"""The search: generated scenes until the time is over, each new difference shrunk to a small scene."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from random import Random

import msgspec
from hypothesis import HealthCheck, Phase, find, settings
from hypothesis import strategies as st
from hypothesis.errors import HypothesisWarning, NoSuchExample

from loopspec.contract.capabilities import Capability
from loopspec.contract.faults import KitError, TargetCrashed, TargetTimedOut, TargetUnusable, in_one_line
from loopspec.contract.observation import Observation
from loopspec.contract.scene import Scene
from loopspec.contract.target import Target
from loopspec.engine.perform import perform
from loopspec_steps.writing.scenes import write_scene
from loopspec_steps.writing.steps import NotWritable

from ..comparing.differences import Difference, Kind, differences
from ..comparing.outcomes import Outcome, outcome_of, trouble
from .ingredients import ingredients_of
from .known import KnownDifferences
from .reducing import smaller
from .scenes import Generated, fits, generated, role_for

_ROUND = 400  # scenes of one round; each round begins with the simplest ones again
_SHRINKING = 60.0  # seconds


class TimeIsOver(BaseException):
    """The time of the search is over. Not an `Exception`, which hypothesis would take for a failing test."""


@dataclass(frozen=True)
class Performed:
    """A scene on both targets. An observation is None if the target crashed or did not return."""

    scene: Scene
    ours: Observation | None
    theirs: Observation | None
    found: tuple[Difference, ...]

    @property
    def kinds(self) -> frozenset[Kind]:
        """The kinds of the differences."""
        return frozenset(difference.kind for difference in self.found)


@dataclass(frozen=True)
class Finding:
    """A difference on a scene that was made as small as the time allowed. `repeats`: a second attempt shows it, too."""

    difference: Difference
    performed: Performed
    repeats: bool = True

    @cached_property
    def ingredients(self) -> frozenset[str]:
        """What the scene is made of."""
        return ingredients_of(self.performed.scene)


@dataclass
class Search:
    """A search on two targets. `findings` yields what is new; the counts are those so far.

    `shrinking` limits the time for one difference. `best` is the smallest scene so far that shows the difference under
    way, `cached` has every scene performed, as JSON. `stopped` ends the search before the next scene. `guard`
    is entered around each performance. `ended_early` says why the search ended before its time. `only` is the
    role whose scenes are generated.
    """

    ours: Target
    theirs: Target
    seconds: float
    seed: int
    known: KnownDifferences
    deadline: float
    performed: int = 0
    passed_over: dict[int, int] = field(default_factory=dict)
    found: list[Finding] = field(default_factory=list)
    shrinking: float = _SHRINKING
    clock: Callable[[], float] = time.monotonic
    guard: Callable[[], AbstractContextManager[None]] = nullcontext
    ended_early: str = ""
    only: Generated | None = None
    stopped: bool = False
    cached: dict[bytes, Performed] = field(default_factory=dict)
    _until: float = 0.0
    _shrink_until: float = 0.0
    _wanted: Kind | None = None
    best: Performed | None = None

    def findings(self) -> Iterator[Finding]:
        """Search until the time is over, and yield each new difference when it is small.

        Ctrl-C raises `KeyboardInterrupt` after the finding under way was yielded.
        """
        self._until = self.clock() + self.seconds
        strategy = generated(self.only)(self.ours, self.theirs).filter(_is_writable)
        number = 0
        while self.clock() < self._until:
            over: BaseException | None = None
            self._wanted, self.best = None, None
            try:
                self._round(strategy, Random(f"{self.seed} {number}"))
            except (TimeIsOver, KeyboardInterrupt, TargetUnusable) as error:
                over = error
            if self.best is not None:
                finding = self._finding(self.best, again=over is None)
                self.found.append(finding)
                yield finding
            if over is not None and not isinstance(over, TimeIsOver):
                raise over
            number += 1

    @property
    def _shared(self) -> frozenset[Capability]:
        return self.ours.capabilities & self.theirs.capabilities

    def _round(self, strategy: st.SearchStrategy[Scene], random: Random) -> None:
        """Generate scenes until one shows a new difference, and make that scene smaller.

        hypothesis only generates: a scene that is reduced as data needs far fewer performances than its draws.
        """
        limits = settings(
            max_examples=_ROUND,
            database=None,
            deadline=None,
            phases=(Phase.generate,),
            suppress_health_check=list(HealthCheck),
        )
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", HypothesisWarning)  # of the length of a file as large as a budget
                find(strategy, self._is_new, settings=limits, random=random)
        except NoSuchExample:
            return
        while any(self._is_reduced(scene) for scene in self._smaller()):
            pass

    def _smaller(self) -> Iterator[Scene]:
        """The scenes that are a little smaller than the smallest one so far, and that a scenario can say."""
        assert self.best is not None, "a round that ends with an example has one"
        for scene in smaller(self.best.scene):
            if fits(scene, self.ours, self.theirs) and _is_writable(scene):
                yield scene

    def _is_new(self, scene: Scene) -> bool:
        """Whether a scene shows a new difference; while one is shrunk, whether the scene shows that one."""
        if self.stopped:
            raise KeyboardInterrupt
        if self.clock() >= self._until or (self._wanted and self.clock() >= self._shrink_until):
            raise TimeIsOver
        done = self.perform(scene)
        fresh = self._fresh(done)
        if self._wanted is None and fresh:
            self._wanted = fresh[0].kind
            self._shrink_until = self.clock() + self.shrinking
        if not any(one.kind == self._wanted for one in fresh):
            return False
        if self.best is None or _size(scene) <= _size(self.best.scene):
            self.best = done
        return True

    def _is_reduced(self, scene: Scene) -> bool:
        """Whether a reduced scene shows the difference under way, and so replaces the scene that it was reduced from.

        Its size is not compared: a default can be longer than what it replaces.
        """
        if not self._is_new(scene):
            return False
        self.best = self.perform(scene)
        return True

    def _fresh(self, done: Performed) -> list[Difference]:
        """The differences that are neither known nor found before.

        An explained difference in how a run ends, or of a missing entry, explains the others of its scene: what follows
        from a run that ends elsewhere is no difference of its own.
        """
        explained = [difference for difference in done.found if self._is_explained(difference, done.scene)]
        if any(difference.decides for difference in explained):
            return []
        return [difference for difference in done.found if difference not in explained]

    def _is_explained(self, difference: Difference, scene: Scene) -> bool:
        """Whether a difference is known, or of a kind that was found on a scene of the same ingredients."""
        if (entry := self.known.index(difference)) is not None:
            if self._wanted is None:
                self.passed_over[entry] = self.passed_over.get(entry, 0) + 1
            return True
        ingredients = ingredients_of(scene)
        alike = (earlier for earlier in self.found if earlier.ingredients <= ingredients)
        return any(difference.kind.is_like(kind) for earlier in alike for kind in earlier.performed.kinds)

    def _finding(self, best: Performed, again: bool) -> Finding:
        difference = next(one for one in best.found if one.kind == self._wanted)
        repeats = not again or self._wanted in self._on_both(best.scene).kinds
        return Finding(difference, best, repeats)

    def perform(self, scene: Scene) -> Performed:
        """Perform a scene on both targets, once for equal scenes."""
        key = msgspec.json.encode(scene)
        if key not in self.cached:
            self.cached[key] = self._on_both(scene)
            self.performed += 1
        return self.cached[key]

    def _on_both(self, scene: Scene) -> Performed:
        ours, of_ours = self._on(self.ours, scene)
        theirs, of_theirs = self._on(self.theirs, scene)
        one = of_ours if ours is None else outcome_of(scene, ours, self._shared)
        other = of_theirs if theirs is None else outcome_of(scene, theirs, self._shared)
        return Performed(scene, ours, theirs, differences(one, other))

    def _on(self, target: Target, scene: Scene) -> tuple[Observation | None, Outcome]:
        role = role_for(scene, target)
        assert role is not None, "only scenes that both targets can perform are generated"
        try:
            with self.guard():
                return perform(target, scene, role, self.deadline), {}
        except TargetUnusable:
            raise
        except TargetTimedOut as error:
            if not target.isolated:  # the state of this process is unknown
                self._until = 0.0
                self.ended_early = str(error)
            return None, trouble("does not return in time")
        except TargetCrashed:
            return None, trouble("crashes")
        except KitError as error:
            return None, trouble(in_one_line(error))


def _is_writable(scene: Scene) -> bool:
    try:
        write_scene(scene)
    except NotWritable:
        return False
    return True


def _size(scene: Scene) -> int:
    return len(msgspec.json.encode(scene))
