"""The kind of targets `known:NAME`: installed, and judged as separate processes."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path

from loopspec.contract.faults import TargetUnusable
from loopspec.contract.target import Target
from loopspec.targets.kinds import Prepared
from loopspec.targets.process.target import ProcessTarget

from .declarations import Known, known, known_targets
from .environments import environment_of, installed, program_folder
from .versions import gap_cases

# What an adapter in Python may import of ours, apart from the packages of its environment.
KIT = (
    "loopspec",
    "loopspec_adapting",
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
        # the folder in which the installed loopspec registers its targets and roles
        files = distribution("loopspec").files or ()
        metadata = next(Path(str(file.locate())).parent for file in files if file.name == "entry_points.txt")
        served = [str(start), target, str(wanted.folder), str(metadata), *packages]
        if wanted.adapter.language == "python":
            return shlex.join([str(folder / "bin" / "python"), "-I", *served])
        npm = f"{wanted.folder.name.upper()}_FOLDER={program_folder(wanted, folder)}"
        return shlex.join(["env", npm, sys.executable, "-I", *served])
    # The files of the program by their full paths, since the command runs in the user's folder.
    program = program_folder(wanted, folder)
    return shlex.join(str(program / word) if (program / word).is_file() else word for word in shlex.split(rest))


_DEADLINE = 60.0  # seconds for one case: some tools take three to start, and more on a busy machine


class KnownTargets:
    """Implementations of others: see `loopspec.targets.kinds.TargetKind`."""

    def check(self, name: str) -> None:
        """Raise `UsageError` for an unknown name or a wrong version."""
        known(name)

    def resolve(self, name: str, dialect: str) -> Target:
        """Return the target in its own environment, and in its own dialect."""
        return known_target(name)

    def prepared(self, name: str) -> Prepared:
        """Install the target. The baseline is that of the pinned version; gaps of an adapter are left out."""
        wanted = known(name)
        installed(wanted)
        left_out = {one.case: one.reason for one in wanted.declared.deselect}
        left_out |= {case: gap.reason for case, gap in gap_cases(wanted).items()}
        note = f"without a baseline, which {wanted.name} has for {wanted.pinned} only"
        return Prepared(wanted.baseline, left_out, note, _DEADLINE)

    def handler_loops(self) -> Mapping[str, Callable[[], Callable[[], object]]]:
        """The adapters of frameworks with handlers, by the class of the handlers."""
        first = {one.folder: one for one in reversed(known_targets().values())}.values()
        return {one.adapter.handler_class: partial(_adapter_of, one) for one in first if one.adapter.handler_class}

    def remedy(self, target: str, folder: Path) -> str:
        """The command that installs what an adapter in its own folder needs."""
        ours = (one for one in known_targets().values() if one.declared.target == target)
        found = next((one for one in ours if one.folder.samefile(folder)), None)
        return f"`loopspec run known:{found.name}` installs what the adapter needs" if found else ""


def _adapter_of(known: Known) -> Callable[[], object]:
    folder, (module, _, name) = str(known.folder), known.declared.target.removeprefix("py:").partition(":")
    if folder not in sys.path:
        sys.path.append(folder)
    try:
        adapter: Callable[[], object] = getattr(import_module(module), name)
    except ImportError as error:
        raise TargetUnusable(f"the adapter of {known.name} cannot be imported: {error}") from error
    return adapter


KIND = KnownTargets()
