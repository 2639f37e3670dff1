"""Mutants: small wrong implementations, each named by its bug; the suite is worth as many of them as it catches."""

from . import agent, agentsmd, backends, handlers, plugins  # noqa: F401  # importing a module enters its mutants
from .registry import LIARS, Liar, LyingTarget, liar
from .trial import Trial, cases_for, try_liar

__all__ = ["LIARS", "Liar", "LyingTarget", "Trial", "cases_for", "liar", "try_liar"]
