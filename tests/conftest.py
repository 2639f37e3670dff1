"""Fixtures for all tests, and the header of a test run."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import pytest

pytest_plugins = ["pytester"]

_MINUTES = 4  # for all tests that are not `long`, on two idle cores
_ROOM = 1 << 28  # bytes that workspaces have in memory at least


@pytest.fixture(scope="session")
def do_without() -> Callable[[str, str], NoReturn]:
    """Skips a test whose requirement is missing, or fails it if LOOPSPEC_REQUIRE names the requirement."""

    def skip(what: str, reason: str) -> NoReturn:
        if what in os.environ.get("LOOPSPEC_REQUIRE", "").replace(",", " ").split():
            pytest.fail(f"{reason}, and LOOPSPEC_REQUIRE asks for {what}")
        pytest.skip(reason)

    return skip


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep test reports out of the developer's cache; Go and pip use their usual caches."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    os.environ.setdefault("GOCACHE", str(cache / "go-build"))
    os.environ.setdefault("PIP_CACHE_DIR", str(cache / "pip"))
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="module")
def workspaces_in_memory() -> Iterator[None]:
    """Lays workspaces out in memory, where a disk would be most of the time, if the system has room for them there."""
    memory = Path("/dev/shm")
    with pytest.MonkeyPatch.context() as patched:
        if os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > _ROOM:
            patched.setattr(tempfile, "tempdir", str(memory))
            patched.setenv("TMPDIR", str(memory))
        yield


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """The workers of a run of all tests: one a processor. The start of workers takes longer than a few tests do."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return processors if _is_whole(config) and processors > 1 else 0


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Print the expected duration, and what is left out."""
    if not _is_whole(config) or config.option.markexpr != "not long":
        return []
    return [f"loopspec: about {_MINUTES} minutes on two quiet cores; `.ci/run` also runs what is marked as long"]


def _is_whole(config: pytest.Config) -> bool:
    return config.args_source is pytest.Config.ArgsSource.TESTPATHS
