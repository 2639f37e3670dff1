"""Fixtures that run pytest inside pytest."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from loopspec.contract.registered import all_loaded

Judged = Callable[..., pytest.RunResult]
# pytester removes the modules that a run imports, and a second import would define the phrases again.
assert all_loaded("case_sources")


@pytest.fixture
def fresh(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """Runs pytest in this process, in an empty folder, as if the suite had never been imported.

    Other installed plugins are not loaded, which saves most of the time.
    """
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTEST_PLUGINS", "pytest_bdd.plugin,loopspec_pytest")
    monkeypatch.delitem(sys.modules, "loopspec.suite", raising=False)
    return pytester


@pytest.fixture
def alone(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """Runs pytest without any plugin, which a test class of ours does not need."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    return pytester


@pytest.fixture
def judged(alone: pytest.Pytester) -> Judged:
    """Runs a test module, without any plugin and with options of pytest."""

    def run(module: str, *options: str) -> pytest.RunResult:
        alone.makepyfile(module)
        return alone.runpytest_inprocess("-p", "no:cacheprovider", *options)

    return run
