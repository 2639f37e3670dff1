"""What several tests of the pages share: the site, made once, and pages in a real browser."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from importlib import metadata
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from loopspec.pages import address
from loopspec.pages.report import render as render_reports
from loopspec.reports.account import Account
from loopspec_docs.manual import manual
from loopspec_docs.site import site, write_site

from ..parsed_page import Element
from ..parsed_page import Page as ParsedPage
from .browsing import BROAD, Scheme, Window, expect
from .report_pages import six

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


class Site:
    """The files of the site, and its pages as a parser sees them."""

    def __init__(self, files: dict[str, str]) -> None:
        self.files = files
        self.pages = [name for name in files if name.endswith(".html")]
        self.page = cache(lambda name: ParsedPage(files[name]))
        self.anchors = cache(self._anchors)

    @cached_property
    def kinds(self) -> dict[str, list[str]]:
        """Pages by their template: the longest page with each set of classes of tables, pictures and sources.

        The last one of a template is the longest of all.
        """
        found: dict[str, dict[frozenset[str], str]] = {}
        for name in sorted(self.pages, key=lambda name: len(self.files[name]), reverse=True):
            (template,) = re.findall(r'<html .*data-template="(.*)">', self.files[name])
            classes = frozenset(re.findall(r'<(?:table|figure|pre) class="(.*?)"', self.files[name]))
            found.setdefault(template, {}).setdefault(classes, name)
        return {template: list(names.values())[::-1] for template, names in found.items()}

    def _anchors(self, name: str) -> Counter[str]:
        """The ids on a page, with how often each is there."""
        return Counter(
            element.attributes["id"] or "" for element in self.page(name).elements if "id" in element.attributes
        )

    def links(self, name: str, within: Element | None = None) -> list[str]:
        """The targets of the links on a page, or of those in one of its elements."""
        outer = within or self.page(name).elements[0]
        inside = (e for e in self.page(name).all("a") if outer.begin <= e.begin and (e.end or 0) <= (outer.end or 0))
        return [element.attributes["href"] or "" for element in inside]

    def main(self, name: str) -> str:
        """The text of a page without its head and foot, on one line."""
        return on_one_line(self.page(name).all("main")[0].text)

    def at(self, place: str) -> Element:
        """The element at an address."""
        name, _, anchor = place.partition("#")
        (found,) = [element for element in self.page(name).elements if element.attributes.get("id") == anchor]
        return found

    def article_of(self, rule: str) -> Element:
        """The article that a rule is in: its own, or one that it shares."""
        found: Element | None = self.at(address(rule))
        while found and found.tag != "article":
            found = found.within
        assert found
        return found


def on_one_line(text: str) -> str:
    """A text without its line ends, and without the backticks that the site shows as code."""
    return " ".join(text.replace("`", "").split())


@pytest.fixture(scope="session")
def made() -> Site:
    """The site."""
    return Site(site(metadata.version("loopspec"), manual()))


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


@pytest.fixture(scope="session")
def folder(made: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site on the disk."""
    folder = tmp_path_factory.mktemp("site")
    write_site(folder, made.files)
    return folder


@pytest.fixture
def visited(window: Window, folder: Path) -> Callable[..., Page]:
    """Opens a page of the site."""

    def visit(name: str, *, width: int = BROAD, scheme: Scheme = "light") -> Page:
        return window.open(folder, f"/{name}", width=width, scheme=scheme)

    return visit


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
