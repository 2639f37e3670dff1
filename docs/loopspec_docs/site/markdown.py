"""Markdown made of data by templates. Each text is escaped, so that it stays what it is in a line, a cell and a tag.

Addresses are relative to the folder of the site: a link on a page in a folder begins with the way up.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from markupsafe import Markup

from loopspec.contract.dialects import value_of_rule
from loopspec.engine.output import counted
from loopspec.pages.rules import PageRule, Section, rules
from loopspec.specification.order import areas_in_order

_SPECIAL = str.maketrans({"&": "&amp;", **{sign: f"&#{ord(sign)};" for sign in '\\`*_{}[]<>|~#"'}})
_ID = re.compile(r"(`[^`]+`)|\b([A-Z][A-Z0-9]*(?:-[A-Z][A-Z0-9]*)*-\d\d)\b")

Page = tuple[str, str]  # its path below the sources, and its text
Context = Mapping[str, str]  # of a template, with the way up to the folder of the site as `top`


def rendered(name: str, template: str = "", /, **values: object) -> Page:
    """A page by its address without an ending, made by the template of the same name or by another one."""
    known = {**values, "top": "../" * name.count("/")}
    parts = _templates().get_template("parts.md.jinja").make_module(known)
    text = _templates().get_template(f"{template or name}.md.jinja").render(known, parts=parts)
    return f"{name}.md", text.strip() + "\n"


@cache
def _templates() -> Environment:
    """The templates: what a place in one outputs is escaped, unless it is Markdown already."""
    made = Environment(
        loader=FileSystemLoader(Path(__file__).with_name("templates")),
        autoescape=True,
        finalize=plain,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters = (area, capability, chips, code, coded, fenced, linked, rule, section, slug)
    made.filters |= {**{one.__name__: one for one in filters}, "join": joined}
    made.globals |= {"anchor": anchor, "chip": chip, "counted": counted, "link": link, "rules": rules}
    return made


def plain(value: object) -> Markup:
    """A text without any markup."""
    return value if isinstance(value, Markup) else Markup(" ".join(str(value).split()).translate(_SPECIAL))


def code(text: str) -> Markup:
    """A text as code."""
    return Markup(f"<code>{text.translate(_SPECIAL)}</code>" if text else "")


def coded(text: str) -> Markup:
    """A text in which `backticks` are code."""
    return Markup("".join(code(part) if n % 2 else part.translate(_SPECIAL) for n, part in enumerate(text.split("`"))))


@pass_context
def linked(context: Context, text: str, own: str = "") -> Markup:
    """A text in which `backticks` are code, and every rule that it names is a link, except for its own one."""
    parts, at = [], 0
    for hit in _ID.finditer(text):
        if hit[1] or (hit[2] in rules() and hit[2] != own):
            parts.append(text[at : hit.start()].translate(_SPECIAL))
            parts.append(code(hit[1][1:-1]) if hit[1] else rule(context, hit[2]))
            at = hit.end()
    return Markup("".join([*parts, text[at:].translate(_SPECIAL)]))


@pass_context
def link(context: Context, text: object, address: str) -> Markup:
    """A link as HTML, which a page may have in a line, a cell and a tag."""
    at = address if address.startswith(("https:", "http:", "#")) else context["top"] + address
    return Markup(f'<a href="{at.translate(_SPECIAL)}">{plain(text)}</a>')


@pass_context
def rule(context: Context, name: str) -> Markup:
    """The id of a rule as a link to the rule; a site of other features may lack the rule."""
    return link(context, name, rules()[name].address) if name in rules() else plain(name)


@pass_context
def area(context: Context, name: str) -> Markup:
    """The name of an area as a link to its page."""
    return link(context, name, f"rules/{name}.html") if name in areas_in_order() else plain(name)


@pass_context
def capability(context: Context, name: str, text: str = "") -> Markup:
    """The name of a role, a capability or an axis as a link to its meaning."""
    return link(context, text or name, f"capabilities.html#{name}")


@pass_context
def section(context: Context, one: Section) -> Markup:
    """A link to a section of a document."""
    return link(context, f"{one.name}: {one.title}", f"documents/{one.document}.html#{slug(one.title)}")


def joined(values: Iterable[object], separator: str) -> Markup:
    """Texts in a line. The filter `join` of the templates escapes HTML alone."""
    return Markup(separator).join(map(plain, values))


def anchor(name: str) -> Markup:
    """A place that a link can lead to."""
    return Markup(f'<span id="{name}"></span>')


def chip(text: str, kind: str = "") -> Markup:
    """A short label with the color of its kind."""
    return Markup(f'<span class="chip {kind or text}">{text}</span>')


def chips(one: PageRule) -> Markup:
    """The basis of a rule, and its status if it has no examples."""
    basis = chip("by dialect", "dialect") if one.id in value_of_rule() else chip(one.basis)
    return basis if one.status == "scenario" else basis + " " + chip(one.status, "status")


def fenced(text: str, language: str = "text") -> Markup:
    """A source with the colors of its language."""
    mark = "~" * (4 + text.count("~~~~"))
    return Markup(f"{mark} {language}\n{text.rstrip()}\n{mark}")


def slug(text: str) -> str:
    """A text as part of an address: letters, digits and hyphens."""
    flat = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", flat.lower().replace("@", " at ")).strip("-")
