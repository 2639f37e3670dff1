"""Mutants of the plugin layer."""

from . import (  # noqa: F401  # importing a module enters its mutants
    built_ins,
    hooks,
    jumps,
    kinds,
    mistakes,
    nodes,
    registry,
    state,
    summaries,
    todo_list,
    tools,
    ways,
    wrapping,
)
