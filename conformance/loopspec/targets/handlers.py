"""Handlers as targets: what a handler declares to change, and the adapter of the framework that it is written for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any

from ..contract.agents import KEEPS, HandlerChange
from ..contract.capabilities import Capability
from ..contract.faults import TargetUnusable
from ..contract.names import did_you_mean, miss
from .kinds import kinds, reference_loop

# What the reference's loop around a handler reports. Another loop's adapter declares what it reports.
REPORTED_BY_THE_REFERENCE: frozenset[Capability] = frozenset(
    {"reports-handler", "reports-instruction", "reports-recovery", "reports-return-directly", "reports-tools"}
)
_OURS = "loopspec_"  # the beginning of the attribute of a handler that declares its changes
CHANGES = f"{_OURS}changes"


def changes_of(handler: object, declared: object = None) -> tuple[HandlerChange, ...]:
    """The changes that a handler declares; without `declared`, those in its attribute `loopspec_changes`.

    Raises `TargetUnusable` for another value, and for another attribute with a name like ours.
    """
    for name in dir(handler):
        if name.startswith(_OURS) and name != CHANGES:
            raise TargetUnusable(f"{_name(handler)} {miss(name, CHANGES)}")
    changes = getattr(handler, CHANGES, ()) if declared is None else declared
    if isinstance(changes, str) or not isinstance(changes, Iterable):
        raise TargetUnusable(f"the changes of {_name(handler)} must be a tuple of names: {', '.join(KEEPS)}")
    listed = tuple(changes)
    for change in listed:
        if not isinstance(change, str) or change not in KEEPS:
            hint = did_you_mean(str(change), KEEPS, f"the changes are {', '.join(KEEPS)}")
            raise TargetUnusable(f"{_name(handler)} declares the change {change!r}, which is none{hint}")
    return listed


def kept_by(changes: Iterable[HandlerChange]) -> frozenset[Capability]:
    """The capabilities of a handler that declares these changes: what it leaves unchanged."""
    declared = set(changes)
    kept: set[Capability] = {capability for change, capability in KEEPS.items() if change not in declared}
    return frozenset(kept if declared else kept | {"no-op"})


def handler_target(
    factory: Callable[[], object],
    made: object,
    declared: Iterable[str] | None = None,
    adapter: Callable[[], Any] | None = None,  # Any: an adapter, which the kit knows by its methods
) -> object:
    """A target that judges the handler that a factory made; another object as it is.

    The loop is that of the adapter, or that of the framework whose class the handler has. `declared` are the changes
    that the caller declares; without them, those that the handler declares. Raises `TargetUnusable` for an unknown
    change, and for an adapter that cannot be imported.
    """
    made_for = adapter or _adapter_of(made)
    if made_for is not None:
        loop: Any = made_for()
        loop.name = f"{_name(made)} in {loop.name}"
        loop.roles, loop.handler, loop.changes = ("handler",), factory, changes_of(made, declared)
        return loop
    if "loopspec_reference" not in sys.modules:  # without the import, the object is no handler of the reference
        return made
    target: Any = reference_loop().as_target(factory, made)
    if target is not made and declared is not None:
        target.changes = changes_of(made, declared)
    return target


def handlers_of_frameworks() -> str:
    """The classes of handlers that the kit judges, for a sentence about another object."""
    classes = sorted(name.replace(":", ".") for kind in kinds() for name in kind.handler_loops())
    return " or ".join(f"a {name}" for name in ("loopspec_reference.Handler", *classes))


def _adapter_of(made: object) -> Callable[[], Any] | None:
    """The adapter of the framework that has a base class of the object.

    A handler of a framework can have an attribute of any name, also one that gives a target a role.
    """
    modules = (base for base in type(made).__mro__[1:-1] if not base.__module__.startswith("loopspec"))
    bases = {f"{base.__module__}:{base.__qualname__}" for base in modules}
    if not bases:
        return None
    loops = (loop for kind in kinds() for base, loop in kind.handler_loops().items() if base in bases)
    found = next(loops, None)
    return found() if found else None


def _name(handler: object) -> str:
    return type(handler).__name__
