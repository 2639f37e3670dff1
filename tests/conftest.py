"""Fixtures for all tests, and the header of a test run."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

import pytest

pytest_plugins = ["pytester"]

_MINUTES = 9  # for all tests that are not `long`, on two idle cores
_LEFT = pytest.StashKey[list[pytest.Item]]()


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


def pytest_configure(config: pytest.Config) -> None:
    """Start the list of skipped long tests."""
    config.stash[_LEFT] = []


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    """Record the long tests that are deselected."""
    for item in items:
        if item.get_closest_marker("long"):
            item.config.stash[_LEFT].append(item)


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Print the expected duration."""
    if config.option.markexpr != "not long" or config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return []
    return [f"loopspec: about {_MINUTES} minutes on two quiet cores; `.ci/run` runs what takes longer as well"]


def pytest_report_collectionfinish(config: pytest.Config) -> list[str]:
    """Print the number of deselected long tests."""
    left = config.stash[_LEFT]
    if not left:
        return []
    root = config.rootpath / "tests"
    folders = Counter(str(_folder(item.path, root)) for item in left)
    named = ", ".join(f"{folder} {count}" for folder, count in sorted(folders.items()))
    return [f"left to the long run, `pytest -m long`: {len(left)} tests ({named})"]


def _folder(path: Path, root: Path) -> Path:
    return path.parent.relative_to(root) if path.is_relative_to(root) else path.parent
