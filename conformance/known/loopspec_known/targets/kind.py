"""The kind of targets `known:NAME`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path

from loopspec.contract.faults import TargetUnusable
from loopspec.contract.target import Target
from loopspec.targets.kinds import Prepared

from ..versions import gap_cases
from .declarations import Known, handler_classes, known, known_targets
from .environments import installed
from .target import known_target


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
        return Prepared(wanted.baseline, left_out, note)

    def handler_loops(self) -> Mapping[str, Callable[[], Callable[[], object]]]:
        """The adapters of frameworks with handlers, by the class of the handlers."""
        return {name: partial(_adapter_of, one) for name, one in handler_classes().items()}

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
