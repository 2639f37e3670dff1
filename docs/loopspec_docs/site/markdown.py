"""Pages that are written in Markdown: the guide of the kit, and the page of the protocol."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from markupsafe import Markup
from msgspec import Struct

from ..highlighting import highlighted
from .links import slug

_COMMENT = re.compile(r"^<!--.*?-->\n", re.MULTILINE | re.DOTALL)


class Heading(Struct, frozen=True):
    """A heading of the second level."""

    title: str
    anchor: str


class Written(Struct, frozen=True):
    """A page: its title, its body as HTML without the title, and the headings of its sections."""

    title: str
    body: Markup
    headings: tuple[Heading, ...]


def written(text: str, pages: Mapping[str, str], folder: str = "") -> Written:
    """Render a page of Markdown.

    `pages` has the addresses of what a link can lead to, by its path; `folder` is that of the page, and links of the
    page are relative to it. A link to anything else of the repository stays text: the site does not have it. HTML in
    the text stays text, except for comments, which are left out.
    """
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(_COMMENT.sub("", text))
    title = tokens[1].content
    del tokens[:3]
    headings = _anchored(tokens)
    for token in tokens:
        token.children = _linked(token.children or [], pages, folder)
    for name, rule in _RULES.items():
        parser.add_render_rule(name, rule)
    return Written(title, Markup(parser.renderer.render(tokens, parser.options, {})), headings)


def _anchored(tokens: Sequence[Token]) -> tuple[Heading, ...]:
    """The headings of the second level; every heading gets an id that follows from its text."""
    found: dict[str, Heading] = {}
    for before, token in pairwise(tokens):
        if before.type == "heading_open":
            anchor = slug(token.content.replace("`", ""))
            before.attrSet("id", anchor)
            if before.tag == "h2":
                found[anchor] = Heading(token.content.replace("`", ""), anchor)
    return tuple(found.values())


def _linked(tokens: Sequence[Token], pages: Mapping[str, str], folder: str) -> list[Token]:
    """The tokens of a text with the links of the site."""
    kept, leads = [], True
    for token in tokens:
        if token.type == "link_open":
            address = _address(str(token.attrGet("href")), pages, folder)
            leads = address is not None
            token.attrSet("href", address or "")
        if leads or not token.type.startswith("link_"):
            kept.append(token)
    return kept


def _address(link: str, pages: Mapping[str, str], folder: str) -> str | None:
    """Where a link leads on the site; None where the site does not have it."""
    if link.startswith(("https:", "#")):
        return link
    path, mark, anchor = link.partition("#")
    at = posixpath.normpath(posixpath.join(folder, path))
    found = pages.get(at)
    return pages.get(f"{at}{mark}{anchor}", found and f"{found}{mark}{anchor}")


def _code(_renderer: RendererHTML, tokens: Sequence[Token], number: int, _options: OptionsDict, _env: EnvType) -> str:
    token = tokens[number]
    label = token.info.split()[0] if token.info.split() else "text"
    return Markup('<div class="scrolls" data-label="Code: {}"><pre class="code">{}</pre></div>\n').format(
        label, highlighted(token.content, label)
    )


def _table(*_given: object) -> str:
    return '<div class="scrolls" data-label="Table"><table class="cells words">\n'


def _table_end(*_given: object) -> str:
    return "</table></div>\n"


_RULES: dict[str, Callable[..., str]] = {
    "fence": _code,
    "code_block": _code,
    "table_open": _table,
    "table_close": _table_end,
}
