"""Mutants: small wrong implementations, each named by its bug. The suite must catch every mutant."""

from . import (  # noqa: F401  # importing a module enters its mutants
    backend_contents,
    backend_deletions,
    backend_lifetimes,
    backend_names,
    backend_roots,
    backends,
    bugs,
    data,
    instruction_files,
    postures,
    variants,
    variants_of_files,
    variants_of_orders,
    variants_of_plugins,
    variants_of_workspaces,
)
from .postures import POSTURES, PatchedPosture, PostureTarget
from .registry import BUGS, MUTANTS, Bug, Mutant, MutantTarget, bug, mutant
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
    "bug",
    "cases_for",
    "missed_by",
    "mutant",
    "try_mutant",
]
