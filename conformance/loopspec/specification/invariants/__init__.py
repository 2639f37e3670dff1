"""Invariants: what holds in every observation of an agent."""

from .invariant import Invariant, InvariantCase
from .judging import case_of, invariants, looked_at

__all__ = ["Invariant", "InvariantCase", "case_of", "invariants", "looked_at"]
