"""From a target string to a target."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from ..contract.faults import TargetUnusable, UsageError, in_one_line
from ..contract.target import Target
from .python import PythonTarget


def resolve(name: str) -> Target:
    """The target: `reference`, `py:package.module:factory`, or `cmd:command line`.

    Raises what `python_target` and `ProcessTarget` do.
    """
    kind, _, rest = name.partition(":")
    if kind not in ("cmd", "py") and name != "reference":
        raise UsageError(
            f"there is no target {name!r}: say `reference`, `py:package.module:factory` or `cmd:command line`"
        )
    if kind != "cmd":
        return python_target(name)
    from .process import ProcessTarget  # only where there is one: most runs know no other process

    return ProcessTarget(rest)


def python_target(name: str) -> PythonTarget:
    """A target in this process.

    Modules are looked for in the current folder first. Raises `UsageError` for a name that leads nowhere and
    `TargetUnusable` for a factory that fails.
    """
    if name == "reference":
        return python_target("py:loopspec.targets.reference:Reference")
    kind, _, rest = name.partition(":")
    module_name, _, factory_name = rest.partition(":")
    if kind != "py" or not module_name or not factory_name:
        raise UsageError(f"there is no Python target {name!r}: say `reference`, or `py:package.module:factory`")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        module = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name and (module_name == error.name or module_name.startswith(error.name + ".")):
            raise UsageError(f"there is no module {module_name!r} here ({here}) or installed: see {name!r}") from None
        raise TargetUnusable(f"the module {module_name} needs {error.name!r}, which is not installed") from error
    except (Exception, SystemExit) as error:
        raise TargetUnusable(f"the module {module_name} cannot be imported: {in_one_line(error)}") from error
    factory = getattr(module, factory_name, None)
    if not callable(factory):
        raise UsageError(f"the module {module_name} has no factory {factory_name!r}: see {name!r}")
    return PythonTarget(factory, name)
