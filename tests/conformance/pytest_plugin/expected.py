"""Targets for a pytest run, and the number of cases that it must have."""

from __future__ import annotations

from loopspec.specification.features import compiled

from .. import broken

LOADER = f"--loopspec-target=py:{broken.__name__}:Loader"
REFERENCE = "--loopspec-target=reference"
MINE = "from loopspec.suite import *\nLOOPSPEC_TARGET = {target!r}\n"


def count(glob: str) -> int:
    """The number of cases of these rules."""
    return sum(any(rule.startswith(glob) for rule in case.rule.ids) for case in compiled())


def bound(*globs: str) -> int:
    """The number of cases in the feature files that have a case of these rules."""
    files = {case.file for case in compiled() if any(i.startswith(glob) for i in case.rule.ids for glob in globs)}
    return sum(case.file in files for case in compiled())
