"""The sources of the site, as texts by their paths: pages of Markdown, and the settings of the docs tool."""

from __future__ import annotations

from pathlib import Path

from loopspec import __version__
from loopspec.contract.specification import digest
from loopspec.pages import rules
from loopspec.protocol.schema import schema_text

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
    words,
)
from . import rules as of_rules
from .areas import site_areas
from .markdown import chip, coded, counted, heading, items, link, plain
from .navigation import COURSE, navigation

_FILES = Path(__file__).parent
# Each makes its pages.
_RULES = (of_rules, mutants, results, versions, examples, pictures, phrases)
_PARTS = (*_RULES, dialects, names, linting, messages, api, command_line, guide, words)
_ASSETS = ("site.css", "site.js", "iframe-worker.js")


def sources() -> dict[str, str]:
    """Make the settings, and every source below `docs/`."""
    made = {"schema.json": schema_text() + "\n"}
    for part in _PARTS:
        made |= part.pages()
    made["index.md"] = _index(made)
    made |= {f"assets/{name}": (_FILES / name).read_text(encoding="utf-8") for name in _ASSETS}
    return {"zensical.toml": _settings(made), **{f"docs/{name}": text for name, text in made.items()}}


def _settings(pages: dict[str, str]) -> str:
    written = f"Written by loopspec {__version__} from features {digest()}. Apache-2.0."
    return navigation(pages).replace("WRITTEN", written)


def _index(pages: dict[str, str]) -> str:
    counts = of_rules.counts(rules().values())
    course = (
        f"{number}. [{title}](course/{name}.html)" for number, (name, title) in enumerate(_titles(pages).items(), 1)
    )
    names, says = (*words.BASES, "by dialect"), words.WORDS["Rules and results"]
    bases = (f"{chip(name, name.split()[-1])} {counts.get(name, 0)} rules. {coded(says[name])}" for name in names)
    listed = []
    for key, title in of_rules.documents().items():
        own = [area for area in site_areas() if area.document == key]
        total = sum(len(area.rules) for area in own)
        listed += [
            heading(3, link(of_rules.titled(title), f"documents/{key}.html"), f"d-{key}"),
            f"{counted(total, 'rule')} in {counted(len(own), 'area')}.",
            items(
                f"{link(plain(area.topic), area.address)} {area.name}, {counted(len(area.rules), 'rule')}"
                for area in own
            ),
        ]
    return (
        (_FILES / "index.template")
        .read_text(encoding="utf-8")
        .format(
            **counts,
            picture=pictures.shown("loop", ""),
            course="\n".join(course),
            dialects=len(dialects.dialects()),
            implementations=len(results.implementations()) - 1,
            bases=items(bases),
            areas="\n\n".join(listed),
        )
    )


def _titles(pages: dict[str, str]) -> dict[str, str]:
    """The titles of the pages of the course."""
    return {name: pages[f"course/{name}.md"].partition("\n")[0].removeprefix("# ") for name in COURSE}
