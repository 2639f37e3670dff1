"""Phrases of When steps: the one act of a scenario."""

from . import acts, backend  # noqa: F401  # importing a module enters its phrases
