"""Mutants of the AgentsMD middleware."""

from . import (  # noqa: F401  # importing a module enters its mutants
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
