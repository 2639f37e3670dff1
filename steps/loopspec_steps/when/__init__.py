"""Phrases of When steps: the one act of a scenario."""

from . import (  # noqa: F401  # importing a module enters its phrases
    acts,
    backend,
    backend_calls,
    loop,
    plugins,
    workspace,
)
