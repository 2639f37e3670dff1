"""Target strings are resolved to targets."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from ..contract.dialects import dialect_names, is_dialect
from ..contract.faults import TargetUnusable, UsageError, in_one_line
from ..contract.names import did_you_mean, nearest
from ..contract.target import Target
from .python import PythonTarget

_KINDS = ("py", "cmd", "known")
_REFERENCE = "reference"
_AS = " as "
KNOWN = "known:"  # the prefix of a known target


def resolve(name: str) -> Target:
    """The target: `reference`, `py:package.module:factory`, `cmd:command line`, or `known:name@version`.

    Raises the errors of `python_target`, `ProcessTarget` and `known_target`.
    """
    must_be_target(name)
    name, dialect = split_dialect(name)
    kind, _, rest = name.partition(":")
    if kind == "known":
        from .known import known_target  # imported here, as for a command

        return known_target(name)
    if kind != "cmd":
        return python_target(name, dialect)
    from .process import ProcessTarget  # only for a command: most runs have no other process

    return ProcessTarget(rest, dialect)


def split_dialect(name: str) -> tuple[str, str]:
    """A target string without its dialect, and the dialect: `reference as codex`. Empty: the target declares it."""
    target, as_, dialect = name.rpartition(_AS)
    return (target, dialect) if as_ and is_dialect(dialect) else (name, "")


def in_dialect(name: str, dialect: str) -> str:
    """The target string of a target in a dialect. Raises `UsageError` for an unknown dialect."""
    if not is_dialect(dialect):
        hint = did_you_mean(dialect, dialect_names(), f"the dialects are {', '.join(dialect_names())}")
        raise UsageError(f"there is no dialect {dialect!r}{hint}")
    return f"{split_dialect(name)[0]}{_AS}{dialect}"


def must_be_target(name: str) -> None:
    """Raise `UsageError` for a target string of an unknown kind; nothing is imported or started."""
    name, _ = split_dialect(name)
    if name.startswith(KNOWN):
        from .known import known

        known(name)
    if name.partition(":")[0] not in _KINDS and name != _REFERENCE:
        hint = _meant(name) or "use `reference`, `py:package.module:factory`, `cmd:command line` or `known:name`"
        raise UsageError(f"there is no target {name!r}: {hint}")


def _meant(name: str) -> str:
    """A suggestion for a target string of an unknown kind."""
    kind, colon, rest = name.partition(":")
    if not colon:
        close = nearest(name, [_REFERENCE])
    elif (known := nearest(kind, _KINDS)) is not None:
        close = f"{known}:{rest}"
    else:  # a module and a factory without their kind
        close = f"py:{name}" if kind in _modules_in(kind.rpartition(".")[0]) else None
    return f"did you mean {close!r}?" if close else ""


def python_target(name: str, dialect: str = "") -> PythonTarget:
    """A target in this process, in a dialect or in the one that it declares.

    Raises the errors of `python_factory`, and `TargetUnusable` for a failing factory.
    """
    return PythonTarget(python_factory(name), _full(name), dialect)


def _full(name: str) -> str:
    return "py:loopspec.targets.reference:Reference" if name == _REFERENCE else name


def python_factory(name: str) -> Callable[[], object]:
    """The factory of a target in this process.

    Modules in the current folder precede others. Raises `UsageError` for an unknown name, and `TargetUnusable` for a
    module that cannot be imported.
    """
    name = _full(name)
    kind, _, rest = name.partition(":")
    module_name, _, factory_name = rest.partition(":")
    if kind != "py" or not module_name or not factory_name:
        raise UsageError(f"there is no Python target {name!r}: use `reference`, or `py:package.module:factory`")
    here = _here()
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name and (module_name == error.name or module_name.startswith(error.name + ".")):
            raise UsageError(
                f"there is no module {module_name!r} here ({here}) or installed"
                + did_you_mean(error.name, _modules_in(error.name.rpartition(".")[0]), f"see {name!r}")
            ) from None
        raise TargetUnusable(
            f"the module {module_name} needs {error.name!r}, which is not installed{_installing(name, here)}"
        ) from error
    except (Exception, SystemExit) as error:
        raise TargetUnusable(f"the module {module_name} cannot be imported: {in_one_line(error)}") from error
    factory: Callable[[], object] | None = getattr(module, factory_name, None)
    if not callable(factory):
        known = [one for one, value in vars(module).items() if callable(value) and not one.startswith("_")]
        hint = did_you_mean(factory_name, known, f"see {name!r}")
        raise UsageError(f"the module {module_name} has no factory {factory_name!r}{hint}")
    return factory


def _installing(name: str, here: str) -> str:
    """The command that installs what an adapter of ours needs; empty for another module."""
    from .known import known_targets  # imported here, as for a command

    ours = (one for one in known_targets().values() if one.declared.target == name and one.folder.samefile(here))
    found = next(ours, None)
    return f": `loopspec run known:{found.name}` installs what the adapter needs" if found else ""


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
