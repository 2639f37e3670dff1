"""Mutants of the reference as `py:` targets for a separate process: `py:mutated:name_of_the_mutant`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack

from loopspec.contract.specification import mutants
from loopspec_reference_adapter import Memory, Reference

KIT = mutants()
assert KIT is not None, "a checkout has the mutants"
MUTANTS = KIT.MUTANTS
# keeps the entered patches alive: an unreferenced generator would exit
_ENTERED = ExitStack()


def __getattr__(name: str) -> Callable[[], Reference]:
    """The factory of a mutant: its bug is never removed from the process."""
    if (found := name.replace("_", "-")) not in MUTANTS:
        raise AttributeError(name)
    mutant = MUTANTS[found]

    def build() -> Reference:
        _ENTERED.enter_context(mutant.bug())
        return Memory() if mutant.backend == "memory" else Reference()

    return build
