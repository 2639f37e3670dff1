"""The names pages: what each framework calls the concepts of the specification, both ways."""

from __future__ import annotations

from collections.abc import Iterator

from loopspec.specification.names import NO_NAME, names

from .markdown import Page, rendered


def pages() -> Iterator[Page]:
    """Make the page of all concepts, and a page for each framework."""
    book = names()
    found = {
        key: sorted(((at, one, one.names[key]) for at, one in book.concepts.items()), key=lambda found: found[2].name)
        for key in book.frameworks
    }
    named = {key: [one for one in of if one[2].name != NO_NAME] for key, of in found.items()}
    yield rendered("names", book=book, named=named)
    for key, framework in book.frameworks.items():
        missing = [one for one in found[key] if one[2].name == NO_NAME]
        yield rendered(f"names/{key}", "framework", framework=framework, named=named[key], missing=missing)
