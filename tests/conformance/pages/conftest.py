"""What several tests of the pages share: pages in a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from loopspec.pages.report.page import render as render_reports
from loopspec.reports.account import Account

from .browsing import Window, expect
from .report_pages import six

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="module")
def window_of_module(browser: Browser) -> Iterator[Window]:
    """The page that the tests of a module use one after the other."""
    window = Window(browser.new_page())
    yield window
    window.page.context.close()


@pytest.fixture
def window(window_of_module: Window) -> Iterator[Window]:
    """The page for one test. At the end there were no complaints, and it has requested nothing else than was opened."""
    window_of_module.begin()
    yield window_of_module
    window_of_module.end()


@pytest.fixture
def opened_report(window: Window, tmp_path: Path) -> Callable[..., Page]:
    """Opens the page of some reports; of six, where none are given."""
    file = tmp_path / "report.html"

    def open_(*reports: Account, at: str = "", **how: Any) -> Page:
        file.write_text(render_reports(reports or six()), encoding="utf-8")
        page = window.open(file, at, **how)
        expect(page.locator(".rules")).to_have_attribute(
            "role", "table"
        )  # the last thing that the page does on its own
        return page

    return open_


@pytest.fixture(scope="session")
def axe(do_without: Callable[[str, str], NoReturn]) -> str:
    """The accessibility checker, as a script."""
    try:
        return files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    except ModuleNotFoundError:
        do_without("chromium", "axe-playwright-python is not installed")
