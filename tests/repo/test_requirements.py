"""Tests with a requirement that a machine may lack, such as a browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

import pytest


def test_what_is_required_cannot_be_done_without(
    do_without: Callable[[str, str], NoReturn], monkeypatch: pytest.MonkeyPatch
) -> None:
    """LOOPSPEC_REQUIRE turns a skip into a failure, for what it names."""
    monkeypatch.setenv("LOOPSPEC_REQUIRE", "node, chromium")
    with pytest.raises(pytest.fail.Exception, match="no browser, and LOOPSPEC_REQUIRE asks for chromium"):
        do_without("chromium", "no browser")
    monkeypatch.setenv("LOOPSPEC_REQUIRE", "node")
    with pytest.raises(pytest.skip.Exception, match="no browser"):
        do_without("chromium", "no browser")
