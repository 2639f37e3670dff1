"""Addresses in the site. Each follows from a name, so that links hold from version to version."""

from __future__ import annotations

import re
import unicodedata

from markupsafe import Markup, escape

from loopspec.pages import Section, address, rules
from loopspec.pages.theme import coded
from loopspec.specification.cases import area_of

_ID = re.compile(r"\b[A-Z][A-Z0-9]*(?:-[A-Z][A-Z0-9]*)*-\d\d\b")


def slug(text: str) -> str:
    """A text as part of an address: letters, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower().replace("@", " at ")).strip("-")


def section_address(section: Section) -> str:
    """A section of a document."""
    return f"documents/{section.document}.html#{slug(section.title)}"


def mutant_address(name: str, rule: str) -> str:
    """A mutant, on the page of the area whose rule it breaks."""
    return f"mutants/{area_of(rule)}.html#{name}"


def capability_address(name: str) -> str:
    """A capability or a role."""
    return f"capabilities.html#{name}"


def linked(text: str, top: str, own: str = "") -> Markup:
    """A text with `backticks` as code, and every rule that it names as a link.

    `top` leads from the page to the site's folder.
    """
    parts = re.split(r"`([^`]+)`", text)
    return Markup("").join(coded(f"`{part}`") if n % 2 else _linked(part, top, own) for n, part in enumerate(parts))


def _linked(text: str, top: str, own: str) -> Markup:
    known, parts, at = rules(), [], 0
    for hit in _ID.finditer(text):
        if hit[0] in known and hit[0] != own:
            link = Markup('<a href="{}">{}</a>').format(top + address(hit[0]), hit[0])
            parts += [escape(text[at : hit.start()]), link]
            at = hit.end()
    return Markup("").join([*parts, escape(text[at:])])
