"""The configuration of an AgentsMD middleware, and its warnings."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from enum import StrEnum

from msgspec import Struct

from ..values.errors import ConfigError
from .backends import Backend

_log = logging.getLogger("loopspec_reference.agentsmd")


class Reason(StrEnum):
    """Why a file was left out."""

    MISSING = "the file does not exist"
    CYCLE = "the file imports itself, directly or through others"
    DEPTH = "the import is more than five levels deep"
    BUDGET = "the byte limit is used up"


class LoadWarning(Struct, frozen=True, gc=False):
    """A file that was left out although the load continued. `path` is in normal form."""

    path: str
    reason: Reason


def log_warning(warning: LoadWarning) -> None:
    """Write the warning to the standard log: the default when no `on_warning` is configured (AMD-ERROR-10)."""
    _log.warning("%s is left out: %s", warning.path, warning.reason)


class Config(Struct, frozen=True, kw_only=True):
    """The files to load, the backend to read them from, and a byte limit.

    `max_bytes` limits the raw bytes of all files together; 0 means no limit. `on_warning` is called during the load,
    once per warning and in the order of discovery.
    """

    backend: Backend
    files: Sequence[str]
    max_bytes: int = 0
    on_warning: Callable[[LoadWarning], None] = log_warning


def validate(config: Config | None) -> Config:
    """Return the configuration, or raise `ConfigError` for the first mistake in it.

    The entries of the file list are not examined (AMD-CFG-01 to AMD-CFG-05).
    """
    if config is None:
        raise ConfigError("an AgentsMD middleware needs a configuration")
    if config.backend is None:
        raise ConfigError("the configuration names no backend to read from")
    if not config.files or isinstance(config.files, str):
        raise ConfigError(f"the configuration names the files {config.files!r}: give a list of at least one path")
    if config.max_bytes < 0:
        raise ConfigError(f"the byte limit is {config.max_bytes}: give 0 for no limit, or a positive number")
    return config
