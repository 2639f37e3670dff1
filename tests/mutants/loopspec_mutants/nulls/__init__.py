"""Null targets: implementations that do nothing, or the least. No rule passes as a whole on one of them."""

from . import agents, files  # noqa: F401  # importing a module enters its null targets
from .registry import NULLS, OMITTED, WAYS, Null
from .trial import NullTrial, Passes, listed, try_null, whole_rules, wrong_with

__all__ = [
    "NULLS",
    "OMITTED",
    "WAYS",
    "Null",
    "NullTrial",
    "Passes",
    "listed",
    "try_null",
    "whole_rules",
    "wrong_with",
]
