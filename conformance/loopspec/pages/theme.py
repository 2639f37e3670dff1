"""The style, the templates and the filters that all pages share."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from importlib import resources

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup, escape

from ..specification.order import EXPLAINING

_FILES = resources.files("loopspec.pages")
_QUOTED = re.compile(r'("[^"]*")')
_HOLE = re.compile(r"\{\w+\}|<([^<>]+)>")
_CODE = re.compile(r"`([^`]+)`")


def theme() -> Markup:
    """The style sheet: the tokens, then the styles of elements that every page has."""
    return Markup((_FILES / "theme.css").read_text(encoding="utf-8"))  # our own: nothing to escape


def environment(package: str) -> Environment:
    """Jinja with autoescaping, over the templates of a package and, as `shared/NAME`, those of this one."""
    own = resources.files(package)

    def load(name: str) -> str | None:
        folder, file = (_FILES, name.removeprefix("shared/")) if name.startswith("shared/") else (own, name)
        return (folder / file).read_text(encoding="utf-8")

    made = Environment(
        loader=FunctionLoader(load), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    made.filters |= {"marked": marked, "filled": filled, "coded": coded, "breakable": breakable}
    made.globals["explaining"] = EXPLAINING
    return made


def marked(text: str, holes: Collection[str] = ()) -> Markup:
    """A sentence of a feature with its quoted texts and its holes marked."""
    parts = _QUOTED.split(text)
    if len(parts) == 1:
        return filled(text, holes)
    found = (
        f'<span class="quoted">{filled(part, holes)}</span>' if n % 2 else filled(part, holes)
        for n, part in enumerate(parts)
    )
    return Markup("".join(found))


def filled(text: str, holes: Collection[str] = ()) -> Markup:
    """A text with its holes marked: `{name}` of a phrase, and `<name>` of an outline with such a column."""
    if "{" not in text and not holes:  # of most texts, and there are many
        return escape(text)
    parts, at = [], 0
    for hit in _HOLE.finditer(text):
        if hit[1] is None or hit[1] in holes:
            parts += [escape(text[at : hit.start()]), f'<span class="hole">{escape(hit[0])}</span>']
            at = hit.end()
    return Markup("".join([*parts, escape(text[at:])]))


def coded(text: str) -> Markup:
    """A text in which `backticks` become code. Everything else stays text."""
    parts = _CODE.split(text)
    return Markup("").join(Markup("<code>{}</code>").format(part) if n % 2 else part for n, part in enumerate(parts))


@lru_cache(maxsize=256)  # a page has few names, each of them many times
def breakable(name: str) -> Markup:
    """A name that may break after `:`, `/` and `.`, and nowhere else: neither in a word nor in a version."""
    return Markup("<wbr>").join(re.split(r"(?<=[:/.])(?<!\d\.)(?=[^:/.\s])", name))
