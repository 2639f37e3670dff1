"""Phrases of Then steps: each looks at an observation."""

from . import (  # noqa: F401  # importing a module enters its phrases
    backend,
    calls,
    ends,
    events,
    handled,
    hooks,
    instructions,
    loads,
    middlewares,
    recovery,
    registry,
    texts,
)
