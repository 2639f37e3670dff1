"""`loopspec known --table`: the results page, judged again and compared with the results that ship.

The reports of an incomplete table stay in the cache: the next table continues with the targets that have no report yet.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from loopspec.contract.faults import TargetUnusable, UsageError
from loopspec.contract.specification import adapters_root, cache_folder, features_root, is_cached
from loopspec.engine.output import must_be_writable, write_text
from loopspec.reports.merging import read_accounts

from .declarations import Known
from .environments import ProgramMissing, environment_of, installed, say
from .results import Judged, Results, differences, from_report, in_results, results
from .target import KIT

_TEXTS = {".py", ".feature", ".toml", ".mjs", ".go"}
_BUILT = {"build", "node_modules", "__pycache__"}


def known_table(file: Path | None) -> int:
    """Judge the reference and the known targets of the results page, and compare the results with those that ship.

    A target that cannot be judged does not stop the command. The exit code is 1 for other results, and 4 for a target
    that is unusable.
    """
    if file:
        must_be_writable(file)
    shipped, kit = {one.adapter: one for one in results().implementations}, kit_digest()
    found: list[Judged] = []
    missing, unusable, changed = list[str](), list[str](), list[str]()
    with tempfile.TemporaryDirectory() as folder:
        for wanted in (None, *in_results()):
            try:
                found.append(_judged(wanted, Path(folder), kept_report(wanted, kit)))
            except ProgramMissing as error:
                missing.append(f"{wanted} is not judged: {error.program} is not on PATH")
            except TargetUnusable as error:
                unusable.append(str(error))
    for one in found:
        before = shipped.get(one.adapter)
        changed += differences(before, one) if before else [f"{one.name} is not in the results that ship"]
    if not unusable:
        remove_reports()
    print(Results(1, tuple(found)).as_markdown())
    if file:
        write_text(file, Results(1, tuple(found)).as_text())
    for sentence in (*missing, *unusable, *changed):
        say(sentence)
    if not changed:
        what = "The results in the table" if missing or unusable else "The results"
        print(f"{what} are those that ship with this version of loopspec.")
    return 4 if unusable else 1 if changed else 0


def _judged(wanted: Known | None, folder: Path, kept: Path) -> Judged:
    """The results of a known target, or of the reference. Raises `TargetUnusable`."""
    target = f"known:{wanted.name}" if wanted else "reference"
    if is_cached(kept) and is_complete(kept):
        say(f"{target} is already judged: its report is in the cache")
        return from_report(kept, wanted)
    if wanted:
        installed(wanted)  # in this process, for the sentence of a failed installation
    say(f"judging {target}")
    report = folder / f"{wanted.name if wanted else 'reference'}.jsonl"
    judge(target, report, "-n", "2")
    keep(report, kept)
    return from_report(report, wanted)


def judge(target: str, report: Path, *options: str) -> None:
    """Judge a target in another process, which leaves a complete report. Its output goes to standard error.

    Raises `TargetUnusable` if the run judges nothing or does not end by itself.
    """
    # -P: a folder named `loopspec` in the current folder, such as the Go kit, is not imported
    words = [sys.executable, "-P", "-m", "loopspec", "run", target, "--quiet", *options, "--report", str(report)]
    # A session of its own: Ctrl-C reaches this process alone, which then ends the other one once and in order.
    process = subprocess.Popen(words, stdout=sys.stderr, start_new_session=True)
    try:
        code = process.wait()
    except BaseException:
        process.terminate()
        process.wait()
        raise
    if code not in (0, 1, 3):
        raise TargetUnusable(f"{target} was not judged: the run ended with exit code {code}")


# -- the kept reports --------------------------------------------------------------------------------------------------


def kept_report(of: Known | None, kit: str) -> Path:
    """The place of the report on a known target, or on the reference, in the user's cache.

    A report is valid for the same `kit_digest` and environment only.
    """
    environment = environment_of(of).name if of else platform.python_version()
    digest = hashlib.sha256(f"{kit}\0{environment}".encode()).hexdigest()[:16]
    return _reports() / f"{of.name if of else 'reference'}-{digest}.jsonl"


def keep(report: Path, path: Path) -> None:
    """Copy a complete report to its place; a cache that cannot be written keeps nothing."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        written = path.with_suffix(f".{os.getpid()}")  # concurrent tables write separate files
        shutil.copyfile(report, written)
        written.replace(path)


def remove_reports() -> None:
    """Remove all kept reports."""
    shutil.rmtree(_reports(), ignore_errors=True)


def is_complete(report: Path) -> bool:
    """Whether a report is that of a run that judged every planned case."""
    try:
        (found,) = read_accounts([report])
    except UsageError:
        return False
    return found.summary is not None and found.summary.is_whole and found.summary.exit_code in (0, 1, 3)


def _reports() -> Path:
    return cache_folder() / "table"


def kit_digest() -> str:
    """The digest of the files of the kit, the features and the adapters."""
    origins = (spec.origin for spec in map(find_spec, KIT) if spec is not None and spec.origin is not None)
    kit = hashlib.sha256()
    for folder in (*(Path(origin).parent for origin in origins), features_root(), adapters_root()):
        for parent, folders, files in os.walk(folder):
            folders[:] = sorted(set(folders) - _BUILT)
            for path in (Path(parent, name) for name in sorted(files) if Path(name).suffix in _TEXTS):
                kit.update(path.as_posix().encode() + b"\0" + path.read_bytes())
    return kit.hexdigest()
