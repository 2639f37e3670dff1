"""Postures of the reference: a change for each value of an axis that is not the default value."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass

from loopspec.contract.capabilities import Capability

from .registry import Mutant, MutantTarget, Store
from .rewriting import Rewriting


@dataclass(frozen=True)
class PatchedPosture:
    """A value of an axis, and the change that gives the value to the reference.

    `implied` are the values of other axes that follow from the value. `backend` names the backend that has the value.
    `lacks` are the capabilities that the changed reference no longer has.
    """

    axis: str
    value: str
    patch: Rewriting
    implied: Mapping[str, str]
    backend: Store | None = None
    lacks: frozenset[Capability] = frozenset()

    def target(self, *, patched: bool = True, declared: bool = True) -> PostureTarget:
        """Return the reference as a target that has the value, declares the value, or both."""
        return PostureTarget(self, patched=patched, declared=declared)


class PostureTarget(MutantTarget):
    """The reference with a posture: one of its backends, or all of its other roles."""

    def __init__(self, posture: PatchedPosture, *, patched: bool, declared: bool) -> None:
        self._posture, self._patched, self._declared = posture, patched, declared
        name = f"{posture.axis}-{posture.value}"
        values = {posture.axis: posture.value, **posture.implied} if declared else {}
        patch = posture.patch if patched else nullcontext
        super().__init__(Mutant(name, "", patch, backend=posture.backend, postures=values))
        if patched:
            self.capabilities -= posture.lacks

    def rebuilt(self) -> PostureTarget:
        """Return a new target of the same posture, without any state."""
        return PostureTarget(self._posture, patched=self._patched, declared=self._declared)


POSTURES: dict[tuple[str, str], PatchedPosture] = {}


def enter_posture(new: PatchedPosture) -> None:
    """Register a value of an axis."""
    if (new.axis, new.value) in POSTURES:
        raise ValueError(f"two entries have the posture {new.axis}: {new.value}")
    POSTURES[new.axis, new.value] = new
