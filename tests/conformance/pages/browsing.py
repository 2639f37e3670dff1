"""One page of a real browser that several tests use, and assertions that wait until the page has answered."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from playwright.sync_api import expect as expect
else:

    def expect(locator):
        """Playwright's assertions, which wait until they hold: a machine without it can still collect the tests."""
        from playwright.sync_api import expect

        expect.set_options(timeout=PATIENCE)
        return expect(locator)


Scheme = Literal["light", "dark"]
# Only a page that never answers waits so long: a slow machine is no failure.
PATIENCE = 60_000  # milliseconds
BROAD, NARROW = 1280, 390


class Window:
    """A page of the browser: what it shows, what it complained about, and what it requested."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        self.requested: set[str] = set()
        self._opened: list[str] = []
        page.set_default_timeout(PATIENCE)
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", self._refuse)
        page.on("request", lambda request: self.requested.add(request.url.partition("#")[0]))

    def _hear(self, message: Any) -> None:  # Any: playwright's ConsoleMessage
        if message.type != "info":  # such as why a place of the address keeps the focus
            self.complaints.append(message.text)

    def _refuse(self, dialog: Any) -> None:  # Any: playwright's Dialog
        self.complaints.append(dialog.message)
        dialog.dismiss()

    def begin(self) -> None:
        """Show nothing, and forget what was before."""
        self.page.goto("about:blank")
        self.complaints.clear()
        self.requested.clear()
        self._opened.clear()

    def open(self, path: Path, after: str = "", *, width: int = BROAD, scheme: Scheme = "light") -> Page:
        """Load a file, or the files of a folder from this one on; `after` is the rest of the address."""
        self._opened.append(path.as_uri())
        self.page.goto("about:blank")  # only the part after # may differ: that would not load it again
        self.page.set_viewport_size({"width": width, "height": 800})
        self.page.emulate_media(media="screen", color_scheme=scheme)
        self.page.goto(path.as_uri() + after)
        return self.page

    def end(self) -> None:
        """Assert that there were no complaints, and no requests but for what was opened."""
        assert self.complaints == []
        elsewhere = {url for url in self.requested if not url.startswith(("data:", "about:", *self._opened))}
        assert elsewhere == set()


def press_tab(page: Page) -> None:
    """Press the tab key, and wait until the focus has moved."""
    before = page.evaluate_handle("document.activeElement")
    page.keyboard.press("Tab")
    page.wait_for_function("before => document.activeElement !== before", arg=before)


def overflow(page: Page, selector: str = "html") -> int:
    """How many pixels the contents of an element are wider than it."""
    return int(page.locator(selector).evaluate("node => node.scrollWidth - node.clientWidth"))
