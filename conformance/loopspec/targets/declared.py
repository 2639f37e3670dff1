"""The declarations of the object that a `py:` factory returns, and its misspelled names."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import ModuleType
from typing import Any, NamedTuple, get_args

from ..contract.axes import Posture, checked_postures, declared_dialect, must_be_dialect
from ..contract.capabilities import CAPABILITIES, Capability
from ..contract.faults import TargetUnusable
from ..contract.names import CUTOFF, did_you_mean, miss, near_misses, refused
from ..contract.places import KIT_PACKAGES
from ..contract.roles import ROLES, Role
from ..contract.values import ErrorKind
from .handlers import handlers_of_frameworks

# The methods that a declared capability requires: of the object that `open()` returns, and of the factory's object.
BACKEND_METHODS = {kind.name: kind.store_method for kind in CAPABILITIES.values() if kind.store_method}
ADAPTER_METHODS = {kind.name: kind.adapter_method for kind in CAPABILITIES.values() if kind.adapter_method}

# The other names that are looked up: declarations, with the type of their values, and optional methods.
_DECLARATIONS: dict[str, type] = {
    "roles": Sequence,
    "capabilities": Collection,
    "postures": Mapping,
    "dialect": str,
    "error_kinds": Mapping,
    "changes": Sequence,
}
_OTHERS = (*ADAPTER_METHODS.values(), *_DECLARATIONS, "name", "version", "close")
_GUESSES = {"errors": "error_kinds", "exceptions": "error_kinds", "kinds": "error_kinds", "error_types": "error_kinds"}

Object = Any  # the user's own object, whose members are looked up by name


class Misspelled(NamedTuple):
    """An attribute that nothing reads, and the name that was probably meant. `sure`: no other meaning is likely."""

    name: str
    meant: str
    sure: bool

    def __str__(self) -> str:
        return f"it {miss(self.name, self.meant)}"


def roles_of(made: Object, name: str) -> frozenset[Role]:
    """The declared roles, or those of the object's methods. Raises `TargetUnusable`."""
    found = frozenset(role for role, kind in ROLES.items() if callable(getattr(made, kind.method, None)))
    declared: frozenset[Role] = _names(made, "roles", name, found)
    if unknown := sorted(declared - ROLES.keys()):
        hint = did_you_mean(unknown[0], ROLES, f"the roles are {', '.join(ROLES)}")
        raise TargetUnusable(f"{name} declares the role {unknown[0]!r}{hint}")
    if missing := sorted(declared - found):
        raise TargetUnusable(
            f"{name} declares the role {missing[0]!r} but has no method {ROLES[missing[0]].method}(){_instead(made)}"
        )
    if not declared:
        raise TargetUnusable(
            f"{name} returned {made!r:.80}, which has no role: give it one of the methods "
            + ", ".join(f"{method}()" for method in _methods())
            + f", or return {handlers_of_frameworks()}"
            + _instead(made)
        )
    return declared


def _methods() -> list[str]:
    """The methods of an adapter that give a role."""
    return [kind.method for kind in ROLES.values()]


def _instead(made: Object) -> str:
    """The end of a sentence about a missing method: a method with a similar name."""
    methods = [name for name, value in _own(made).items() if callable(value)]
    name, meant = next(near_misses(methods, _methods(), CUTOFF), ("", ""))
    return f" (it has {name}: did you mean {meant}?)" if meant else ""


def capabilities_of(made: Object, name: str) -> frozenset[Capability]:
    """The declared capabilities. Raises `TargetUnusable`."""
    declared: frozenset[Capability] = _names(made, "capabilities", name, ())
    if unknown := sorted(declared - CAPABILITIES.keys()):
        hint = did_you_mean(unknown[0], CAPABILITIES, "see `loopspec capabilities`")
        raise TargetUnusable(f"{name} declares the capability {unknown[0]!r}, which is none{hint}")
    for capability, method in ADAPTER_METHODS.items():
        found = getattr(made, method, None)
        if capability in declared and not callable(found):
            raise TargetUnusable(f"{name} declares {capability} but has no {method}()")
        if capability in declared and inspect.iscoroutinefunction(found):
            raise TargetUnusable(
                f"{method}() of {name} must not be an async def: it is called where nothing can be awaited"
            )
    return declared


def error_kinds_of(made: Object, name: str) -> Mapping[type[BaseException], ErrorKind]:
    """The object's own exceptions by their kinds. Raises `TargetUnusable` for another value."""
    kinds = getattr(made, "error_kinds", {})
    if not isinstance(kinds, Mapping) or not all(
        isinstance(of, type) and issubclass(of, BaseException) for of in kinds
    ):
        raise TargetUnusable(
            f"error_kinds of {name} must map exception classes to kinds, as in {{MyError: 'not_exist'}}"
        )
    known = get_args(ErrorKind)
    for error, kind in kinds.items():
        if kind not in known:
            hint = did_you_mean(str(kind), known, f"the kinds are {', '.join(known)}")
            raise TargetUnusable(f"error_kinds of {name} maps {error.__name__} to {kind!r}, which is no kind{hint}")
    return kinds


def postures_of(made: Object, name: str) -> dict[str, Posture]:
    """The declared postures by axis, with the dialect. Raises `TargetUnusable`, also for a workspace without one."""
    postures = getattr(made, "postures", {})
    if not isinstance(postures, Mapping) or not all(isinstance(one, Posture) for one in postures.values()):
        raise TargetUnusable(
            f"postures of {name} must map axes to loopspec.Posture, as in "
            "{'after-order': Posture('reversed', link='https://…')}"
        )
    dialect, reads = getattr(made, "dialect", ""), ROLES.get("workspace")
    if dialect or (reads and callable(getattr(made, reads.method, None))):
        must_be_dialect("" if dialect is None else str(dialect), name)
        postures = {**postures, **declared_dialect(dialect)}
    return checked_postures(postures, name)


def must_be_spelled(made: Object, name: str) -> None:
    """Raise `TargetUnusable` for a declaration under a misspelled name, which would have no effect."""
    for one in misspelled(made):
        if one.sure:
            raise TargetUnusable(f"{name} {refused(one.name, one.meant)}")


def misspelled(made: Object) -> list[Misspelled]:
    """The attributes whose names resemble those that are looked up and missing.

    The names of a module are its imports, and those of a framework's base class are the framework's.
    """
    if isinstance(made, ModuleType):
        return []
    own = _own(made)
    inherited = {name for part in type(made).__mro__ if _is_of_kit(part) for name in vars(part) if name[0] != "_"}
    looked_up = [*_methods(), *_OTHERS]
    known = [*looked_up, *sorted(inherited.difference(looked_up))]
    guesses = [(name, _GUESSES[name]) for name in own if name in _GUESSES and _GUESSES[name] not in own]
    return [
        Misspelled(name, meant, sure=_is_plausible(own[name], meant))
        for name, meant in dict([*near_misses(own, known), *guesses]).items()
    ]


def _own(made: Object) -> dict[str, object]:
    """The members of the object and of its class, and of the classes between that and a class of the kit."""
    classes = type(made).__mro__
    count = next((number for number, part in enumerate(classes) if _is_of_kit(part)), 1)
    return {
        name: value
        for part in (*reversed(classes[:count]), made)
        for name, value in getattr(part, "__dict__", {}).items()
    }


def _is_of_kit(part: type) -> bool:
    return part.__module__.partition(".")[0] in KIT_PACKAGES


def _is_plausible(value: object, declaration: str) -> bool:
    """Whether a value can be that of a declaration."""
    kind = _DECLARATIONS.get(declaration)
    return kind is not None and isinstance(value, kind) and (kind is str or not isinstance(value, str))


def _names(made: Object, what: str, name: str, default: Iterable[str]) -> frozenset[Any]:  # Any: perhaps unknown
    names = getattr(made, what, default)
    listed = [names] if isinstance(names, str) or not isinstance(names, Iterable) else list(names)
    if isinstance(names, str) or not all(isinstance(one, str) for one in listed):
        raise TargetUnusable(f"{what} of {name} must be a tuple of names")
    return frozenset(listed)
