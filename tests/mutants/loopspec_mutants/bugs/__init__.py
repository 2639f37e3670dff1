"""Realistic bugs: those of real projects, and those that a port to another language would have."""

from . import (  # noqa: F401  # importing a module enters its bugs
    counted_calls,
    forwarded_events,
    instruction_files,
    lost_messages,
    results,
    resumed_calls,
    streamed_answers,
    tool_settings,
)
