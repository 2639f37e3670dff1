"""The navigation of the site: the settings of the docs tool have it, but for the areas of the rules."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from html import unescape
from pathlib import Path, PurePath
from typing import Any

from loopspec.specification.order import order

from .areas import site_areas

Settings = dict[str, Any]  # Any: what TOML can hold


@cache
def settings() -> str:
    """The settings of the docs tool, without the areas."""
    return Path(__file__).with_name("zensical.toml").read_text(encoding="utf-8")


def _group(name: str) -> list[dict[str, str]]:
    nav: list[Settings] = tomllib.loads(settings())["project"]["nav"]
    return next(group[name] for group in nav if name in group)


# The names of the pages of the course, in order.
COURSE = tuple(PurePath(file).stem for link in _group("Course") for file in link.values())

# The tool shows a title in the navigation as HTML.
_SAFE = str.maketrans('<>"', "‹›”")


def navigation(pages: Mapping[str, str]) -> str:
    """The settings with the areas of rules, and with the pages of a folder where they have `FOLDER/*`."""

    def of_folder(hit: re.Match[str]) -> str:
        found = {name: text for name, text in pages.items() if name.startswith(f"{hit[2]}/") and name not in settings()}
        titles = {
            name: re.sub("<.*?>", "", unescape(text.partition("\n")[0].strip("# "))) for name, text in found.items()
        }
        return _section(hit[1], {title: name for name, title in titles.items()})

    return re.sub(r'\{ "([^"]+)" = "([\w-]+)/\*" \}', of_folder, settings().replace('{ "AREAS" = "" }', _areas()))


def _areas() -> str:
    folders: dict[str, dict[str, str]] = {**{folder.path: {} for folder in order().folders}, "": {}}
    titles = {folder.path: folder.title for folder in order().folders}
    for area in site_areas():
        folder = area.chapters[0][0].file.rpartition("/")[0] if area.chapters else ""
        folders[folder][area.topic] = f"rules/{area.name}.md"
    sections = (_section(titles.get(path, "Without examples"), links) for path, links in folders.items() if links)
    return ", ".join(sections)


def _section(title: str, links: Mapping[str, str]) -> str:
    inner = ", ".join(f"{{ {_text(words)} = {json.dumps(name)} }}" for words, name in links.items())
    return f"{{ {_text(title)} = [{inner}] }}"


def _text(words: str) -> str:
    return json.dumps(words.translate(_SAFE))
