"""Mutants of the agent loop and its handlers."""

from . import (  # noqa: F401  # importing a module enters its mutants
    before_tools,
    context,
    custom_events,
    failover,
    run_values,
    tool_kinds,
)
