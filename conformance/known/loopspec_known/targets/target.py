"""A known target: installed, and judged as a separate process."""

from __future__ import annotations

import shlex
import sys
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path

from loopspec.contract.faults import TargetUnusable
from loopspec.targets.process import ProcessTarget

from .declarations import Known, known
from .environments import environment_of, installed
from .installing import program_folder

# What an adapter in Python may import of ours, apart from the packages of its environment.
KIT = (
    "loopspec",
    "loopspec_instructions",
    "loopspec_reference",
    "loopspec_reference_adapter",
    "loopspec_steps",
)


class CannotDrive(TargetUnusable):
    """The adapter cannot drive this version, so it is not judged. `reason` is without the folders of this machine."""

    def __init__(self, wanted: Known, error: TargetUnusable) -> None:
        super().__init__(
            f"{wanted} is not judged: its adapter, made for {wanted.pinned}, cannot drive this version: {error}",
            error.evidence,
        )
        self.reason = str(error).replace(str(environment_of(wanted)), "…")


def known_target(name: str) -> ProcessTarget:
    """The target of `known:NAME@VERSION`, whose environment is built if it is missing.

    Raises `UsageError` for an unknown name, `TargetUnusable` for an environment that cannot be built, and `CannotDrive`
    for a version that is not the pinned one if its adapter does not start.
    """
    wanted = known(name)
    folder = installed(wanted)
    try:
        return ProcessTarget(command_of(wanted, folder))
    except TargetUnusable as error:
        if wanted.is_pinned:
            raise
        raise CannotDrive(wanted, error) from None


def command_of(wanted: Known, folder: Path) -> str:
    """The command that serves a target in its environment.

    An adapter in Python for a program of Node runs with the Python of this process. The variable NAME_FOLDER, with the
    name of the folder of the adapter, says where npm has installed the program.
    """
    target = wanted.declared.target
    kind, _, rest = target.partition(":")
    if kind == "py":
        start = Path(__file__).with_name("start.py")
        found = {package: spec.origin for package in KIT if (spec := find_spec(package)) and spec.origin}
        packages = [f"{package}={Path(origin).parent}" for package, origin in found.items()]
        served = [str(start), target, str(wanted.folder), _entry_points(), *packages]
        if wanted.adapter.language == "python":
            return shlex.join([str(folder / "bin" / "python"), "-I", *served])
        npm = f"{wanted.folder.name.upper()}_FOLDER={program_folder(wanted, folder)}"
        return shlex.join(["env", npm, sys.executable, "-I", *served])
    # The files of the program by their full paths, since the command runs in the user's folder.
    program = program_folder(wanted, folder)
    return shlex.join(str(program / word) if (program / word).is_file() else word for word in shlex.split(rest))


def _entry_points() -> str:
    """The file in which the installed loopspec registers its targets and roles."""
    files = distribution("loopspec").files or ()
    return str(next(file.locate() for file in files if file.name == "entry_points.txt"))
