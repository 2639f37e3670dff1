"""What tests may use anywhere, and what a run says of itself."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

import pytest

pytest_plugins = ["pytester"]

_MINUTES = 3  # of all that is not marked `long`, on two quiet cores
_LEFT = pytest.StashKey[list[pytest.Item]]()


@pytest.fixture(scope="session")
def do_without() -> Callable[[str, str], NoReturn]:
    """Skip for want of something that is not on every machine; fail where LOOPSPEC_REQUIRE names it, as `chromium`."""

    def leave_out(what: str, reason: str) -> NoReturn:
        if what in os.environ.get("LOOPSPEC_REQUIRE", "").replace(",", " ").split():
            pytest.fail(f"{reason}, and LOOPSPEC_REQUIRE asks for {what}")
        pytest.skip(reason)

    return leave_out


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep the last reports of tests from taking the place of a developer's; Go and pip go on with what they have."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    os.environ.setdefault("GOCACHE", str(cache / "go-build"))
    os.environ.setdefault("PIP_CACHE_DIR", str(cache / "pip"))
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))


def pytest_configure(config: pytest.Config) -> None:
    """Begin to take down what is left out."""
    config.stash[_LEFT] = []


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    """Take down what is left to the long run."""
    for item in items:
        if item.get_closest_marker("long"):
            item.config.stash[_LEFT].append(item)


def pytest_report_header(config: pytest.Config) -> list[str]:
    """How long it takes."""
    if config.option.markexpr != "not long" or config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return []
    return [f"loopspec: about {_MINUTES} minutes on two quiet cores; `.ci/run` runs what takes longer as well"]


def pytest_report_collectionfinish(config: pytest.Config) -> list[str]:
    """What is left to the long run."""
    left = config.stash[_LEFT]
    if not left:
        return []
    root = config.rootpath / "tests"
    folders = Counter(str(_folder(item.path, root)) for item in left)
    named = ", ".join(f"{folder} {count}" for folder, count in sorted(folders.items()))
    return [f"left to the long run, `pytest -m long`: {len(left)} tests ({named})"]


def _folder(path: Path, root: Path) -> Path:
    return path.parent.relative_to(root) if path.is_relative_to(root) else path.parent
