"""Target strings are resolved to targets; an absent one says why no scene can be performed."""

from __future__ import annotations

import importlib
import pkgutil
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import cast

from ..contract.axes import NO_POSTURES, Postures
from ..contract.capabilities import Capability
from ..contract.dialects import dialect_hint, is_dialect
from ..contract.faults import AdapterError, TargetUnusable, UsageError
from ..contract.harness import HarnessStage
from ..contract.names import did_you_mean, nearest
from ..contract.places import located
from ..contract.roles import Role
from ..contract.target import Identity, Target
from .kinds import factory_of, kind_of, kinds, names
from .python import PythonTarget

_OWN = ("py", "cmd")
_AS = " as "


def resolve(name: str) -> Target:
    """The target: `py:package.module:factory`, `cmd:command line`, or one of another kind, such as `reference`.

    Raises the errors of `python_factory`, `PythonTarget`, `ProcessTarget`, and of the kind.
    """
    must_be_target(name)
    name, dialect = split_dialect(name)
    kind, _, rest = name.partition(":")
    if kind == "py" or factory_of(name):
        return PythonTarget(python_factory(name), name, dialect)
    if other := kind_of(name):
        return other.resolve(name, dialect)
    from .process.target import ProcessTarget  # only for a command: most runs have no other process

    return ProcessTarget(rest, dialect)


def split_dialect(name: str) -> tuple[str, str]:
    """A target string without its dialect, and the dialect: `reference as codex`. Empty: the target declares it."""
    target, as_, dialect = name.rpartition(_AS)
    return (target, dialect) if as_ and is_dialect(dialect) else (name, "")


def in_dialect(name: str, dialect: str) -> str:
    """The target string of a target in a dialect. Raises `UsageError` for an unknown dialect."""
    if not is_dialect(dialect):
        raise UsageError(f"there is no dialect {dialect!r}{dialect_hint(dialect)}")
    return f"{split_dialect(name)[0]}{_AS}{dialect}"


def must_be_target(name: str) -> None:
    """Raise `UsageError` for a target string of an unknown kind; nothing is imported or started."""
    name, _ = split_dialect(name)
    if name.partition(":")[0] in _OWN or factory_of(name):
        return
    if kind := kind_of(name):
        kind.check(name)
        return
    hint = _meant(name) or "use `reference`, `py:package.module:factory`, `cmd:command line` or `known:name`"
    raise UsageError(f"there is no target {name!r}: {hint}")


def _meant(name: str) -> str:
    """A suggestion for a target string of an unknown kind."""
    kind, colon, rest = name.partition(":")
    if name.endswith(".py"):
        return _by_import(name)
    if not colon:
        close = nearest(name, names())
    elif (known := nearest(kind, [*_OWN, *names()])) is not None:
        close = f"{known}:{rest}"
    else:  # a module and a factory without their kind
        close = f"py:{name}" if kind in _modules_in(kind.rpartition(".")[0]) else None
    return f"did you mean {close!r}?" if close else ""


def python_factory(name: str) -> Callable[[], object]:
    """The factory of a target in this process.

    Modules in the current folder precede others. Raises `UsageError` for an unknown name, and `TargetUnusable` for a
    module that cannot be imported.
    """
    if registered := factory_of(name):
        return registered
    kind, _, rest = name.partition(":")
    module_name, _, factory_name = rest.partition(":")
    if kind != "py" or not module_name:
        raise UsageError(f"there is no Python target {name!r}: use `reference`, or `py:package.module:factory`")
    if any(slash in rest for slash in "/\\"):
        raise UsageError(f"'{name}' names a file: {_by_import(rest)}")
    here = _here()
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name and (module_name == error.name or module_name.startswith(error.name + ".")):
            raise UsageError(
                f"there is no module {module_name!r} here ({here}) or installed"
                + did_you_mean(error.name, _modules_in(error.name.rpartition(".")[0]))
            ) from None
        remedy = next(filter(None, (kind.remedy(name, Path(here)) for kind in kinds())), "")  # of an adapter of ours
        raise TargetUnusable(
            f"the module {module_name} needs {error.name!r}, which is not installed{remedy and f': {remedy}'}"
        ) from error
    except (Exception, SystemExit) as error:
        raise TargetUnusable(f"the module {module_name} cannot be imported: {located(error)}") from error
    if not factory_name:
        raise UsageError(f"{name!r} names no factory: {_factories_of(module)}")
    if not hasattr(module, factory_name):
        known = [one for one, value in vars(module).items() if callable(value) and not one.startswith("_")]
        hint = did_you_mean(factory_name, known, _factories_of(module))
        raise UsageError(f"the module {module_name} has no factory {factory_name!r}{hint}")
    factory: Callable[[], object] = getattr(module, factory_name)
    if not callable(factory):
        raise UsageError(
            f"{factory_name!r} of the module {module_name} is no factory, but an object of {type(factory).__name__}: "
            f"{_factories_of(module)}"
        )
    return factory


def _factories_of(module: ModuleType) -> str:
    """What to name in place of a missing or wrong factory, with the module's first own class or function."""
    own = (
        one
        for one, value in vars(module).items()
        if callable(value) and not one.startswith("_") and getattr(value, "__module__", "") == module.__name__
    )
    first = next(own, None)
    such = f", such as 'py:{module.__name__}:{first}'" if first else ""
    return f"name a class or a function that makes the target{such}"


def _by_import(rest: str) -> str:
    """What to name in place of a file: the module, from the file's folder."""
    found = re.fullmatch(r"(?:(.*)[/\\\\])?(.*?)(?:\.py)?(?::(\w+))?", rest)
    folder, module, factory = found.groups() if found else (None, rest, None)
    where = f" in the folder {folder}" if folder else ""
    return f"name the module as Python imports it, 'py:{module}:{factory or 'FACTORY'}'{where}"


def _here() -> str:
    """The current folder, which is searched first."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    return here


def _modules_in(package: str) -> list[str]:
    """The importable modules of a package by their full names, or those of this folder."""
    here = _here()
    if not package:
        return [module.name for module in pkgutil.iter_modules([here])]
    try:
        path: Iterable[str] = importlib.import_module(package).__path__
    except (Exception, SystemExit):  # a hint must not fail
        return []
    return [f"{package}.{module.name}" for module in pkgutil.iter_modules(path)]


class AbsentTarget:
    """The declarations of a target that another process judges."""

    isolated = True
    unusable = ""
    evidence: Mapping[str, str] = {}

    def __init__(
        self, identity: Identity, roles: Iterable[str], capabilities: Iterable[str], postures: Postures = NO_POSTURES
    ) -> None:
        self.identity = identity
        self.roles = cast("frozenset[Role]", frozenset(roles))
        self.capabilities = cast("frozenset[Capability]", frozenset(capabilities))
        self.postures = postures

    def perform(self, stage: HarnessStage) -> None:
        """Raise `AdapterError`: nothing can be performed on it."""
        raise AdapterError(f"{self.identity.name} is judged in another process")

    def close(self) -> None:
        """Do nothing."""

    def rebuilt(self) -> Target:
        """Return the target itself."""
        return self
