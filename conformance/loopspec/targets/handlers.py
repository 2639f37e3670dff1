"""Handlers as targets: what a handler declares to change, and the adapter of the framework that it is written for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

from ..contract.agents import HandlerChange
from ..contract.capabilities import Capability
from ..contract.faults import TargetUnusable
from ..contract.names import did_you_mean
from ..contract.needs import KEEPS

CHANGES = "loopspec_changes"  # the attribute of a handler that declares its changes


def changes_of(handler: object, declared: object = None) -> tuple[HandlerChange, ...]:
    """The changes that a handler declares; without `declared`, those in its attribute `loopspec_changes`.

    Raises `TargetUnusable` for another value.
    """
    changes = getattr(handler, CHANGES, ()) if declared is None else declared
    if isinstance(changes, str) or not isinstance(changes, Iterable):
        raise TargetUnusable(f"the changes of {_name(handler)} must be a tuple of names: {', '.join(KEEPS)}")
    listed = tuple(changes)
    for change in listed:
        if change not in KEEPS:
            hint = did_you_mean(str(change), KEEPS, f"the changes are {', '.join(KEEPS)}")
            raise TargetUnusable(f"{_name(handler)} declares the change {change!r}, which is none{hint}")
    return listed


def kept_by(changes: Iterable[HandlerChange]) -> frozenset[Capability]:
    """The capabilities of a handler that declares these changes: what it leaves unchanged."""
    declared = set(changes)
    kept: set[Capability] = {capability for change, capability in KEEPS.items() if change not in declared}
    return frozenset(kept if declared else kept | {"no-op"})


def framework_target(factory: Callable[[], object], made: object, declared: object = None) -> object:
    """What a factory made, or, if it made a handler of a framework with an adapter, a target that judges this handler.

    Raises `TargetUnusable` for a handler with unknown changes, and for an adapter that cannot be imported.
    """
    bases = {f"{base.__module__}:{base.__qualname__}" for base in type(made).__mro__}
    if bases == {f"{type(made).__module__}:{type(made).__qualname__}", "builtins:object"}:
        return made  # a class without a base class is no handler of a framework
    from .known.declarations import handler_classes  # reads the declarations of all adapters

    found = next((known for base, known in handler_classes().items() if base in bases), None)
    if found is None:
        return made
    folder, (module, _, name) = str(found.folder), found.declared.target.removeprefix("py:").partition(":")
    if folder not in sys.path:
        sys.path.append(folder)
    try:
        adapter: Any = getattr(import_module(module), name)()  # Any: an adapter, which the kit knows by its methods
    except ImportError as error:
        raise TargetUnusable(f"the adapter of {found.name} cannot be imported: {error}") from error
    adapter.name = f"{_name(made)} in {adapter.name}"
    adapter.roles, adapter.handler, adapter.changes = ("handler",), factory, changes_of(made, declared)
    return adapter


def _name(handler: object) -> str:
    return type(handler).__name__
