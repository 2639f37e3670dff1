"""Small wrong implementations, each named by its vice: what the suite is worth is how many of them it catches."""

from . import (  # noqa: F401  # importing a module enters its liars
    backends,
    budget,
    caching,
    configuration,
    cycles,
    depth,
    failures,
    formats,
    idempotency,
    insertion,
    languages,
    mentions,
    once,
    order,
    resolution,
    summaries,
)
from .registry import LIARS, Liar, LyingTarget, liar
from .trial import Trial, cases_for, try_liar

__all__ = ["LIARS", "Liar", "LyingTarget", "Trial", "cases_for", "liar", "try_liar"]
