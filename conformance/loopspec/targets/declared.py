"""The declarations of the object that a `py:` factory returns, and its misspelled names."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import Any, NamedTuple, get_args

from ..contract.axes import Posture, checked_postures, declared_dialect, must_be_dialect
from ..contract.capabilities import CAPABILITIES, ROLES, Capability, Role
from ..contract.faults import TargetUnusable
from ..contract.names import did_you_mean, nearest
from ..contract.values import ErrorKind

METHODS: dict[Role, str] = {
    "backend": "open",
    "loader": "load",
    "middleware": "middleware",
    "agent": "perform",
    "plugins": "perform_plugins",
    "handler": "handler",
    "workspace": "read_workspace",
}

# The methods that a declared capability requires: of the object that `open()` returns, and of the factory's object.
BACKEND_METHODS: dict[Capability, str] = {
    "closes": "close",
    "deletes": "delete",
    "edits": "write",
    "fault-container": "fail",
    "fault-gone": "fail",
    "fault-io": "fault",
    "fault-outside": "fault",
    "fault-permission": "fault",
    "fault-refused": "fail",
    "fault-timeout": "fail",
    "links": "link",
}
ADAPTER_METHODS: dict[Capability, str] = {"language-zh": "set_language"}

# The other names that are looked up: declarations and optional methods.
_DECLARATIONS = ("roles", "capabilities", "postures", "dialect", "error_kinds", "changes")
_LOOKED_UP = (*METHODS.values(), *ADAPTER_METHODS.values(), *_DECLARATIONS, "name", "version", "close")
_GUESSES = {"errors": "error_kinds", "exceptions": "error_kinds", "kinds": "error_kinds", "error_types": "error_kinds"}
_ALIKE, _ALMOST = 0.8, 0.85  # see `misspelled`

Object = Any  # the user's own object, whose members are looked up by name


class Misspelled(NamedTuple):
    """An attribute that nothing reads, and the name that was probably meant. `sure`: no other meaning is likely."""

    name: str
    meant: str
    sure: bool

    def __str__(self) -> str:
        return f"it has `{self.name}`, which nothing reads: did you mean `{self.meant}`?"


def roles_of(made: Object, name: str) -> frozenset[Role]:
    """The declared roles, or those of the object's methods. Raises `TargetUnusable`."""
    found = frozenset(role for role, method in METHODS.items() if callable(getattr(made, method, None)))
    declared: frozenset[Role] = _names(made, "roles", name, found)
    if unknown := sorted(declared - ROLES.keys()):
        hint = did_you_mean(unknown[0], ROLES, f"the roles are {', '.join(ROLES)}")
        raise TargetUnusable(f"{name} declares the role {unknown[0]!r}{hint}")
    if missing := sorted(declared - found):
        raise TargetUnusable(
            f"{name} declares the role {missing[0]!r} but has no method {METHODS[missing[0]]}(){_instead(made)}"
        )
    if not declared:
        raise TargetUnusable(
            f"{name} returned {made!r:.80}, which has no role: give it one of the methods "
            + ", ".join(f"{method}()" for method in METHODS.values())
            + ", or return a loopspec_reference.Handler"
            + _instead(made)
        )
    return declared


def _instead(made: Object) -> str:
    """The end of a sentence about a missing method: a method with a similar name."""
    meant = [one for one in misspelled(made) if one.meant in METHODS.values()]
    return f" (it has {meant[0].name}: did you mean {meant[0].meant}?)" if meant else ""


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
    if not isinstance(kinds, Mapping) or not all(_is_exception(one) for one in kinds):
        raise TargetUnusable(
            f"error_kinds of {name} must map exception classes to kinds, as in {{MyError: 'not_exist'}}"
        )
    known = get_args(ErrorKind)
    for error, kind in kinds.items():
        if kind not in known:
            hint = did_you_mean(str(kind), known, f"the kinds are {', '.join(known)}")
            raise TargetUnusable(f"error_kinds of {name} maps {error.__name__} to {kind!r}, which is no kind{hint}")
    return kinds


def _is_exception(one: object) -> bool:
    return isinstance(one, type) and issubclass(one, BaseException)


def postures_of(made: Object, name: str) -> dict[str, Posture]:
    """The declared postures by axis. Raises `TargetUnusable`."""
    postures = getattr(made, "postures", {})
    if not isinstance(postures, Mapping) or not all(isinstance(one, Posture) for one in postures.values()):
        raise TargetUnusable(
            f"postures of {name} must map axes to loopspec.Posture, as in "
            "{'after-order': Posture('reversed', link='https://…')}"
        )
    return checked_postures({**postures, **dialect_of(made, name)}, name)


def dialect_of(made: Object, name: str) -> dict[str, Posture]:
    """The declared dialect as a posture. Raises `TargetUnusable` for an unknown one, and for none with a workspace."""
    declared = getattr(made, "dialect", "")
    if not declared and not callable(getattr(made, METHODS["workspace"], None)):
        return {}
    must_be_dialect("" if declared is None else str(declared), name)
    return declared_dialect(declared)


def misspelled(made: Object) -> list[Misspelled]:
    """The attributes whose names resemble those that are looked up and missing.

    Names with a leading underscore are private, and the names of a module are its imports.
    """
    if isinstance(made, ModuleType):
        return []
    there = set(dir(made))
    missing = [name for name in _LOOKED_UP if name not in there]
    found = []
    for name in {
        **_members(type(made)),
        **_members(made),
    }:  # members of its class and of the object, without those of a framework's base class
        if name in _LOOKED_UP or name.startswith("_"):
            continue
        guess = _GUESSES.get(name)
        meant = guess if guess in missing else nearest(name, missing, _ALIKE)
        if meant is not None:
            almost = guess is not None or nearest(name, [meant], _ALMOST) is not None
            found.append(Misspelled(name, meant, sure=almost and meant in _DECLARATIONS))
    return found


def _members(of: Object) -> Mapping[str, object]:
    return getattr(of, "__dict__", {})


def _names(
    made: Object, what: str, name: str, default: Iterable[str]
) -> frozenset[Any]:  # Any: not yet known to be ours
    names = getattr(made, what, default)
    listed = [names] if isinstance(names, str) or not isinstance(names, Iterable) else list(names)
    if isinstance(names, str) or not all(isinstance(one, str) for one in listed):
        raise TargetUnusable(f"{what} of {name} must be a tuple of names")
    return frozenset(listed)
