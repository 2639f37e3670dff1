"""A real browser, for the pages that are made for one."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from loopspec.contract.plugins import StrategyMeta
from loopspec.pages.panels import render

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

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


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """Opens the page of some strategies. In the end nothing was complained of, and nothing else was asked for."""
    complaints: list[str] = []
    asked: set[str] = set()
    file = tmp_path / "panels.html"

    def open_(*strategies: tuple[str, StrategyMeta | None], **how: Any) -> Page:
        file.write_text(render("mine", strategies), encoding="utf-8")
        page = browser.new_page(**how)
        page.set_default_timeout(5000)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.on("request", lambda request: asked.add(request.url.partition("#")[0]))
        page.goto(file.as_uri())
        return page

    yield open_
    for context in browser.contexts:
        context.close()
    assert complaints == []
    assert {address for address in asked if not address.startswith("data:")} == {file.as_uri()}
