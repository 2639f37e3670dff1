"""The configuration of the AgentsMD middleware, and warnings without a callback."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from loopspec_reference import ConfigError, MemoryBackend
from loopspec_reference.agentsmd import Config, LoadWarning, Reason
from loopspec_reference.agentsmd.config import log_warning, validate


def config(**changes: Any) -> Config:
    """A valid configuration with some values changed."""
    return Config(**{"backend": MemoryBackend(), "files": ["/p/a.md"], **changes})


@pytest.mark.parametrize(
    "good",
    [
        config(),
        config(max_bytes=0),
        config(max_bytes=1),
        config(files=("/p/a.md", "/p/a.md")),
        config(files=[""]),
    ],
    ids=["smallest", "no limit", "a limit", "twice", "odd"],
)
def test_a_valid_configuration_is_returned_unchanged(good: Config) -> None:
    """The entries of the file list are not checked."""
    assert validate(good) is good


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (None, "needs a configuration"),
        (config(backend=None), "no backend"),
        (config(files=[]), "at least one path"),
        (config(files=None), "at least one path"),
        (config(files="/p/a.md"), "give a list of"),
        (config(max_bytes=-1), "the byte limit is -1"),
    ],
    ids=["nothing", "no backend", "no file", "no list", "a text", "below zero"],
)
def test_an_invalid_configuration_is_rejected(bad: Config | None, message: str) -> None:
    """The error names the cause."""
    with pytest.raises(ConfigError, match=message):
        validate(bad)


def test_by_default_there_is_no_limit_and_warnings_are_logged() -> None:
    """A backend and a list of files are enough."""
    given = config()

    assert (given.max_bytes, given.on_warning) == (0, log_warning)


def test_the_log_names_the_file_and_the_reason(caplog: pytest.LogCaptureFixture) -> None:
    """The record is a warning of the package's logger."""
    log_warning(LoadWarning("/p/missing.md", Reason.MISSING))

    text = "/p/missing.md is left out: the file does not exist"
    assert caplog.record_tuples == [("loopspec_reference.agentsmd", logging.WARNING, text)]
