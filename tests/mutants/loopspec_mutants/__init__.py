"""Mutants: small wrong implementations, each named by its bug. The suite must catch every mutant."""

from . import agent, agentsmd, backends, handlers, plugins  # noqa: F401  # importing a module enters its mutants
from .registry import MUTANTS, Mutant, MutantTarget, mutant
from .trial import Trial, cases_for, try_mutant

__all__ = ["MUTANTS", "Mutant", "MutantTarget", "Trial", "cases_for", "mutant", "try_mutant"]
