"""Realistic bugs: those of real projects, and those that a port to another language would have."""

from . import (  # noqa: F401  # importing a module enters its bugs
    calls,
    conversations,
    files,
    hooks,
    instructions,
    limits,
    nested,
    results,
    resumed,
    summaries,
)
