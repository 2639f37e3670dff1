"""Mutants: small wrong implementations, each named by its bug. The suite must catch every mutant."""

from . import (  # noqa: F401  # importing a module enters its mutants
    agent,
    data,
    handlers,
    handlers_in_runs,
    instruction_files,
    invariants,
    plugins,
    postures,
    postures_of_backends,
    postures_of_events,
    postures_of_limits,
    postures_of_nesting,
    postures_of_tools,
)
from .postures import POSTURES, PatchedPosture, PostureTarget
from .registry import BUGS, MUTANTS, Bug, Mutant, MutantTarget, mutant
from .trial import Trial, cases_for, missed_by, try_mutant

__all__ = [
    "BUGS",
    "MUTANTS",
    "POSTURES",
    "Bug",
    "Mutant",
    "MutantTarget",
    "PatchedPosture",
    "PostureTarget",
    "Trial",
    "cases_for",
    "missed_by",
    "mutant",
    "try_mutant",
]
