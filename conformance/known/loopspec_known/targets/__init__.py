"""Known targets: implementations of others, each with an adapter, a pinned version and an environment in the cache."""

from .declarations import FILE, Adapter, Declared, Deselected, Gap, Known, in_order, known, known_targets
from .environments import ProgramMissing, environment_of, installed, is_installed, remove
from .target import CannotDrive, known_target
from .undeclared import Undeclared, undeclared

__all__ = [
    "FILE",
    "Adapter",
    "CannotDrive",
    "Declared",
    "Deselected",
    "Gap",
    "Known",
    "ProgramMissing",
    "Undeclared",
    "environment_of",
    "in_order",
    "installed",
    "is_installed",
    "known",
    "known_target",
    "known_targets",
    "remove",
    "undeclared",
]
