"""What an AgentsMD handler is told."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ..values.errors import ConfigError
from .backends import Backend

_log = logging.getLogger("loopspec_reference.agentsmd")


class Reason(StrEnum):
    """Why a file was left out."""

    MISSING = "the file does not exist"
    CYCLE = "the file imports itself, directly or through others"
    DEPTH = "the import is more than five levels deep"
    BUDGET = "the byte limit is used up"


@dataclass(frozen=True, slots=True)
class LoadWarning:
    """A file that was left out without ending the load. `path` is in normal form."""

    path: str
    reason: Reason


def log_warning(warning: LoadWarning) -> None:
    """Write the warning to the standard log: what happens when nobody asked for warnings (AMD-ERROR-10)."""
    _log.warning("%s is left out: %s", warning.path, warning.reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """What to load, from where, and how much of it.

    `max_bytes` bounds the raw bytes of all files together; 0 means no limit. `on_warning` is called during the
    load, once per warning and in the order of discovery.
    """

    backend: Backend
    files: Sequence[str]
    max_bytes: int = 0
    on_warning: Callable[[LoadWarning], None] = log_warning


def validate(config: Config | None) -> Config:
    """Return the configuration or raise `ConfigError` for the first thing wrong with it.

    The entries of the file list are not looked at. (AMD-CFG-01 to AMD-CFG-05)
    """
    if config is None:
        raise ConfigError("an AgentsMD handler needs a configuration")
    if config.backend is None:
        raise ConfigError("the configuration names no backend to read from")
    if not config.files or isinstance(config.files, str):
        raise ConfigError(f"the configuration names the files {config.files!r}: give a list of at least one path")
    if config.max_bytes < 0:
        raise ConfigError(f"the byte limit is {config.max_bytes}: give 0 for no limit, or a positive number")
    return config
