"""The navigation of the site: the settings of the docs tool have it, but for the areas of the rules."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from html import unescape
from pathlib import Path

from loopspec.specification.order import order

from .areas import site_areas


@cache
def settings() -> str:
    """The settings of the docs tool, without the areas."""
    return Path(__file__).with_name("zensical.toml").read_text(encoding="utf-8")


# The names of the pages of the course, in order.
COURSE = tuple(re.findall(r'"course/([\w-]+)\.md"', settings()))

# The tool shows a title in the navigation as HTML.
_SAFE = str.maketrans('<>"', "‹›”")


def navigation(pages: Mapping[str, str]) -> str:
    """The settings with the areas of rules, and with the pages of a folder where they have `FOLDER/*`."""

    def of_folder(hit: re.Match[str]) -> str:
        found = [name for name in pages if name.startswith(f"{hit[2]}/") and name not in settings()]
        titles = (unescape(pages[name].partition("\n")[0].strip("# ")) for name in found)
        return _section(hit[1], dict(zip((re.sub("<.*?>", "", title) for title in titles), found, strict=True)))

    return re.sub(r'\{ "([^"]+)" = "([\w-]+)/\*" \}', of_folder, settings().replace('{ "AREAS" = "" }', _areas()))


def _areas() -> str:
    titles = {**{folder.path: folder.title for folder in order().folders}, "": "Without examples"}
    links: dict[str, dict[str, str]] = {title: {} for title in titles.values()}
    for area in site_areas():
        folder = area.chapters[0][0].file.rpartition("/")[0] if area.chapters else ""
        links[titles[folder]][area.topic] = f"rules/{area.name}.md"
    return ", ".join(_section(title, of) for title, of in links.items() if of)


def _section(title: str, links: Mapping[str, str]) -> str:
    inner = ", ".join(f"{{ {_text(words)} = {json.dumps(name)} }}" for words, name in links.items())
    return f"{{ {_text(title)} = [{inner}] }}"


def _text(words: str) -> str:
    return json.dumps(words.translate(_SAFE))
