"""Reports of an incomplete table of results: the next one continues with the targets that have no report yet."""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from loopspec.contract.cache import cache_folder, is_cached
from loopspec.contract.faults import UsageError
from loopspec.contract.specification import adapters_root, features_root
from loopspec.reports.merging import read_accounts

from .targets import Known, environment_of
from .targets.target import KIT

_TEXTS = {".py", ".feature", ".toml", ".mjs", ".go"}
_BUILT = {"build", "node_modules", "__pycache__"}


class KeptReports:
    """The reports on the reference and on known targets, in the user's cache.

    A report is valid for the same kit, features, adapters and environment only.
    """

    def __init__(self) -> None:
        self._kit = _kit_digest()

    def find(self, of: Known | None) -> Path | None:
        """The report on a known target, or on the reference; None if there is no complete one."""
        path = self._path(of)
        return path if is_cached(path) and is_complete(path) else None

    def keep(self, of: Known | None, report: Path) -> None:
        """Copy a complete report; a cache that cannot be written keeps nothing."""
        path = self._path(of)
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            written = path.with_suffix(f".{os.getpid()}")  # concurrent tables write separate files
            shutil.copyfile(report, written)
            written.replace(path)

    def _path(self, of: Known | None) -> Path:
        environment = environment_of(of).name if of else platform.python_version()
        digest = hashlib.sha256(f"{self._kit}\0{environment}".encode()).hexdigest()[:16]
        return _folder() / f"{of.name if of else 'reference'}-{digest}.jsonl"


def remove_reports() -> None:
    """Remove all kept reports."""
    shutil.rmtree(_folder(), ignore_errors=True)


def is_complete(report: Path) -> bool:
    """Whether a report is that of a run that judged every planned case."""
    try:
        (found,) = read_accounts([report])
    except UsageError:
        return False
    return found.summary is not None and found.summary.is_whole and found.summary.exit_code in (0, 1, 3)


def _folder() -> Path:
    return cache_folder() / "table"


def _kit_digest() -> str:
    sum_ = hashlib.sha256()
    for path in _texts():
        sum_.update(path.as_posix().encode() + b"\0" + path.read_bytes())
    return sum_.hexdigest()


def _texts() -> Iterator[Path]:
    """The files of the kit, the features and the adapters."""
    origins = (spec.origin for spec in map(find_spec, KIT) if spec is not None and spec.origin is not None)
    for folder in (*(Path(origin).parent for origin in origins), features_root(), adapters_root()):
        for parent, folders, files in os.walk(folder):
            folders[:] = sorted(set(folders) - _BUILT)
            yield from (Path(parent, name) for name in sorted(files) if Path(name).suffix in _TEXTS)
