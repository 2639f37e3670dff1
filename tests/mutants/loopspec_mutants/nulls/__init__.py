"""Null targets: implementations that do nothing, or the least. No rule passes as a whole on one of them."""

from . import agents, files  # noqa: F401  # importing a module enters its null targets
from .registry import NULLS, OMITTED, WAYS, Null

__all__ = ["NULLS", "OMITTED", "WAYS", "Null"]
