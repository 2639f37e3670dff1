"""The sources of the site, as texts by their paths: pages of Markdown, and the settings of the docs tool."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

from loopspec import __version__
from loopspec.contract.specification import digest
from loopspec.protocol.schema import schema_text

from ..words import WORDS
from . import (
    api,
    command_line,
    dialects,
    examples,
    guide,
    linting,
    messages,
    mutants,
    names,
    phrases,
    pictures,
    results,
    versions,
)
from . import rules as of_rules
from .areas import site_areas
from .markdown import Page, rendered
from .navigation import COURSE, navigation

_FILES = Path(__file__).parent
# Each makes its pages.
_RULES = (of_rules, mutants, results, versions, examples, pictures, phrases)
_PARTS = (*_RULES, dialects, names, linting, messages, api, command_line, guide)
_ASSETS = ("site.css", "site.js", "iframe-worker.js")


def sources() -> dict[str, str]:
    """Make the settings, and every source below `docs/`."""
    made = dict(chain.from_iterable(part.pages() for part in _PARTS))
    made |= [rendered("words", groups=WORDS), _index(made), ("schema.json", schema_text() + "\n")]
    made |= {f"assets/{name}": (_FILES / name).read_text(encoding="utf-8") for name in _ASSETS}
    written = f"Written by loopspec {__version__} from features {digest()}. Apache-2.0."
    settings = navigation(made).replace("WRITTEN", written)
    return {"zensical.toml": settings, **{f"docs/{name}": text for name, text in made.items()}}


def _index(pages: dict[str, str]) -> Page:
    return rendered(
        "index",
        counts=of_rules.counts(),
        loop_of_agent=pictures.figures()["loop"],
        drawing=pictures.drawing("loop"),
        course={f"course/{name}.html": pages[f"course/{name}.md"].partition("\n")[0][2:] for name in COURSE},
        dialects=len(dialects.dialects()),
        implementations=len(results.implementations()) - 1,
        words=WORDS["Rules and results"],
        by_document=[
            (key, of_rules.titled(title), [area for area in site_areas() if area.document == key])
            for key, title in of_rules.documents().items()
        ],
    )
