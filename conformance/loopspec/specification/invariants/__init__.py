"""Invariants: what holds in every observation of an agent."""

from . import conversation, events, handlers, runs  # noqa: F401  # each registers its invariants
from .invariant import Invariant, InvariantCase, case_of, invariants, looked_at

__all__ = ["Invariant", "InvariantCase", "case_of", "invariants", "looked_at"]
