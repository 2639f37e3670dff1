"""What tests may use anywhere."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NoReturn

import pytest

pytest_plugins = ["pytester"]


@pytest.fixture(scope="session")
def do_without() -> Callable[[str, str], NoReturn]:
    """Skip for want of something that is not on every machine; fail where LOOPSPEC_REQUIRE names it, as `chromium`."""

    def leave_out(what: str, reason: str) -> NoReturn:
        if what in os.environ.get("LOOPSPEC_REQUIRE", "").replace(",", " ").split():
            pytest.fail(f"{reason}, and LOOPSPEC_REQUIRE asks for {what}")
        pytest.skip(reason)

    return leave_out
