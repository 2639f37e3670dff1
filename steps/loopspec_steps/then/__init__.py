"""Phrases of Then steps: each looks at an observation."""

from . import (  # noqa: F401  # importing a module enters its phrases
    backend,
    built_ins,
    cancel,
    context,
    custom_input,
    ends,
    events,
    handled,
    hooks,
    loads,
    plugins,
    recovery,
    resumed_calls,
    runs,
    stores,
    sub_agents,
    texts,
    trace,
    warnings,
    workspaces,
)
