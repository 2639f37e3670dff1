"""What the tests of the site share: the site, made once for all processes, and its pages in a real browser."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ..pages.browsing import BROAD, Scheme, Window
from ..pages.conftest import axe, window, window_of_module
from ..parsed_page import Page as ParsedPage
from ..process import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["axe", "window", "window_of_module"]  # fixtures

# What is no part of a page of ours: the tool's own markup is not well formed, and has the navigation on each page.
_ARTICLE = re.compile(r'<article class="md-content__inner md-typeset">(.*?)</article>', re.DOTALL)
# A place in a heading that the tool adds.
_PERMALINK = re.compile(r'<a class="headerlink".*?</a>')


class Site:
    """The site on a disk, and the contents of its pages as a parser sees them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
        self.pages = sorted(name for name in self.files if name.endswith(".html"))
        self.page = cache(lambda name: ParsedPage(self.article(name)))
        self.anchors = cache(self._anchors)
        self.text = cache(lambda name: on_one_line(self.page(name).elements[0].text))

    def read(self, name: str) -> str:
        """The text of a file."""
        return (self.folder / name).read_text(encoding="utf-8")

    def article(self, name: str) -> str:
        """The contents of a page, without what the tool puts around it."""
        (found,) = _ARTICLE.findall(self.read(name))
        return f"<article>{_PERMALINK.sub('', found)}</article>"

    def _anchors(self, name: str) -> Counter[str]:
        """The ids of a page, with how often each is there."""
        return Counter(re.findall(r'<[a-z][^<>]*? id="?([^"\s>]+)', self.read(name)))

    def links(self, name: str) -> list[str]:
        """The targets of the links in the contents of a page."""
        return [
            element.attributes["href"] or "" for element in self.page(name).all("a") if "href" in element.attributes
        ]

    def rule(self, name: str, rule: str) -> str:
        """The text of a rule, from its heading to the next one."""
        elements = self.page(name).elements
        at = next(n for n, element in enumerate(elements) if element.attributes.get("id") == rule)
        while elements[at].tag not in HEADINGS:
            at += 1
        end = next((one.begin for one in elements[at + 1 :] if one.tag in HEADINGS), None)
        return on_one_line("".join(elements[at].texts[elements[at].begin : end]))


HEADINGS = ("h2", "h3")


def on_one_line(text: str) -> str:
    """A text without its line ends, and without the backticks that the site shows as code."""
    return " ".join(text.replace("`", "").split())


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The site, as the command writes it. The first process that needs it makes it, and the others wait."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "made-site"
    done = folder.with_suffix(".done")
    try:
        folder.with_suffix(".begun").touch(exist_ok=False)
    except FileExistsError:
        until = time.monotonic() + PATIENCE
        while not done.exists():
            assert time.monotonic() < until, "another process makes the site, and has not finished"
            time.sleep(0.5)
    else:
        command = [sys.executable, "-m", "loopspec", "docs", str(folder)]
        ran = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=PATIENCE, check=False)
        done.write_text(ran.stdout + ran.stderr, encoding="utf-8")
    said = done.read_text(encoding="utf-8")
    assert said.startswith(f"wrote {folder}: "), said
    return Site(folder)


@pytest.fixture
def visited(window: Window, made: Site) -> Callable[..., Page]:  # the fixture of the same name
    """Opens a page of the site."""

    def visit(name: str, *, width: int = BROAD, scheme: Scheme = "light") -> Page:
        return window.open(made.folder, f"/{name}", width=width, scheme=scheme)

    return visit
