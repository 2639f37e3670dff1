"""A real browser, for the tests of pages."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NoReturn

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

QUIETLY = ["no-sandbox", "disable-gpu", "no-first-run", "disable-background-networking"]
QUIETLY += ["disable-component-update", "disable-sync"]


@pytest.fixture(scope="module")
def browser(do_without: Callable[[str, str], NoReturn]) -> Iterator[Browser]:
    """The system's Chromium, without a window."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        do_without("chromium", "playwright is not installed")
    path = shutil.which("chromium")
    if path is None:
        do_without("chromium", "there is no chromium on this machine")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=[f"--{flag}" for flag in QUIETLY])
        yield started
        started.close()
