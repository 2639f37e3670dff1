"""Pytest in pytest: other people's test runs."""

from __future__ import annotations

import sys

import pytest

from loopspec_steps import BOOK


@pytest.fixture
def fresh(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """Runs pytest in an empty folder, in this process, as if the suite had never been imported; and not what else
    is installed, which would cost more than everything else."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTEST_PLUGINS", "pytest_bdd.plugin,loopspec_pytest")
    monkeypatch.delitem(sys.modules, "loopspec.suite", raising=False)
    assert BOOK.phrases  # pytester forgets what a run imports first, and a second import would define the phrases again
    return pytester
