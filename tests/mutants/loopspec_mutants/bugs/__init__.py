"""Realistic bugs: those of real projects, and those that a port to another language would have."""

from . import contents, results  # noqa: F401  # importing a module enters its bugs
