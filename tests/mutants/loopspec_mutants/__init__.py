"""Mutants: small wrong implementations, each named by its bug. The suite must catch every mutant."""

from . import data, instruction_files, postures  # noqa: F401  # importing a module enters its mutants
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
