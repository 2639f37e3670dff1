"""The look that all pages share, and the templates that more than one of them uses."""

from __future__ import annotations

import re
from collections.abc import Collection
from importlib import resources

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup, escape

_FILES = resources.files("loopspec.pages")


def theme() -> Markup:
    """The style sheet: tokens first, then what every page has."""
    return Markup((_FILES / "theme.css").read_text(encoding="utf-8"))  # our own: nothing to escape


def environment(package: str) -> Environment:
    """Jinja with everything escaped, over the templates of a package of ours and, as `shared/NAME`, those here."""
    own = resources.files(package)

    def load(name: str) -> str | None:
        folder, file = (_FILES, name.removeprefix("shared/")) if name.startswith("shared/") else (own, name)
        return (folder / file).read_text(encoding="utf-8")

    made = Environment(
        loader=FunctionLoader(load), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    made.filters |= {"marked": marked, "filled": filled}
    return made


def marked(text: str, holes: Collection[str] = ()) -> Markup:
    """A sentence of a feature, with what stands in quotes set apart, and the holes."""
    parts, at = [], 0
    for hit in re.finditer(r'"[^"]*"', text):
        quoted = Markup('<span class="quoted">{}</span>').format(filled(hit[0], holes))
        parts += [filled(text[at : hit.start()], holes), quoted]
        at = hit.end()
    return Markup("").join([*parts, filled(text[at:], holes)])


def filled(text: str, holes: Collection[str] = ()) -> Markup:
    """A text with its holes set apart: `{name}` of a phrase, and `<name>` of an outline that has such a column."""
    parts, at = [], 0
    for hit in re.finditer(r"\{\w+\}|<([^<>]+)>", text):
        if hit[1] is None or hit[1] in holes:
            parts += [escape(text[at : hit.start()]), Markup('<span class="hole">{}</span>').format(hit[0])]
            at = hit.end()
    return Markup("").join([*parts, escape(text[at:])])
