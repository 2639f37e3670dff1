"""An HTML page, parsed by the standard library."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "input", "img", "link", "br", "wbr"}


@dataclass
class Element:
    """An element of the page. Its text is a slice of the page's texts."""

    tag: str
    attributes: dict[str, str | None]
    within: Element | None
    texts: list[str] = field(repr=False)
    begin: int
    end: int | None = None

    @property
    def text(self) -> str:
        """The text of the element and of all elements in it."""
        return "".join(self.texts[self.begin : self.end])


class Page(HTMLParser):
    """A parsed page in which every element is closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[Element] = []
        self._texts: list[str] = []
        self._open: Element | None = None
        self.feed(html)
        self.close()
        assert self._open is None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element."""
        element = Element(tag, dict(attrs), self._open, self._texts, len(self._texts))
        self.elements.append(element)
        if tag in VOID:
            element.end = element.begin
        else:
            self._open = element

    def handle_endtag(self, tag: str) -> None:
        """Close an element."""
        assert self._open is not None
        assert self._open.tag == tag
        self._open.end = len(self._texts)
        self._open = self._open.within

    def handle_data(self, data: str) -> None:
        """Add a text."""
        self._texts.append(data)

    def all(self, tag: str, **attributes: str) -> list[Element]:
        """The elements with a tag and attributes; `for_` is the attribute `for`, `data_kind` is `data-kind`."""
        wanted = {name.strip("_").replace("_", "-"): value for name, value in attributes.items()}
        return [
            element
            for element in self.elements
            if element.tag == tag and all(element.attributes.get(name) == value for name, value in wanted.items())
        ]
