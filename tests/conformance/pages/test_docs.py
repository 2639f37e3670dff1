"""`loopspec docs`: a site of well-formed pages, in which every link has a target and nothing comes from elsewhere."""

from __future__ import annotations

import json
import posixpath
import re
from collections import Counter
from itertools import pairwise
from urllib.parse import unquote

import pytest

from loopspec.contract.capabilities import CAPABILITIES
from loopspec.contract.dialects import instruction_axes
from loopspec.contract.roles import ROLES
from loopspec.protocol.methods import FROM_ADAPTER, FROM_HARNESS
from loopspec.specification.cases import area_of
from loopspec.specification.ledger import ledger
from loopspec.specification.museum import museum
from loopspec.specification.names import NO_NAME, names
from loopspec.specification.order import order
from loopspec_docs.manual import manual
from loopspec_docs.pictures import figures
from loopspec_docs.site.api import api
from loopspec_docs.site.dialects import dialects
from loopspec_docs.site.examples import programs
from loopspec_docs.site.guide import PAGES
from loopspec_docs.site.linting import lint_rules
from loopspec_docs.site.navigation import COURSE, GROUPS
from loopspec_docs.site.results import implementations
from loopspec_known.results import results
from loopspec_mutants import MUTANTS
from loopspec_steps import BOOK, vocabulary
from tools.pages import reasons
from tools.store_table import COMMANDS
from tools.workspace_tools import TOOLS

from ...repo.threads import threads
from ..parsed_page import Element
from .conftest import Site, on_one_line

# The navigation names every page but these, which are in a folder below another page, or reached by a search.
FOLDERS = {"rules": "topics.html", "documents": "topics.html"}
FOLDERS |= {name: f"{name}.html" for name in ("mutants", "names", "results", "examples", "dialects")}
SEARCH = "search.html"


def is_elsewhere(element: Element, target: str | None) -> bool:
    """Whether it is a link to another site: a page loads nothing from there."""
    return element.tag == "a" and (target or "").startswith("https://")


def test_every_link_leads_to_a_file_and_an_anchor_of_the_site(made: Site) -> None:
    """There are thousands of them. All are relative, except for links to other sites, so nothing is loaded from one."""
    broken, count = [], 0
    for name in made.pages:
        for element in made.page(name).elements:
            for attribute in ("href", "src", "action"):
                target = element.attributes.get(attribute)
                if target is None or is_elsewhere(element, target):
                    continue
                count += 1
                path, _, anchor = unquote(target).partition("#")
                file = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
                if file not in made.files or (anchor and anchor not in made.anchors(file)):
                    broken.append((name, target))

    assert broken == []
    assert count > 10_000
    styles = [made.files[name] for name in made.files if name.endswith(".css")]
    assert [style for style in styles if re.search(r"https?:|//|@import", style)] == []


def test_a_rule_that_a_decision_names_is_a_link(made: Site) -> None:
    """To the place of the rule."""
    for rule, row in ledger().rules.items():
        named = {name for name in re.findall(r"[A-Z0-9-]+-\d\d", row.decision) if name in ledger().rules} - {rule}
        links = made.links(f"rules/{area_of(rule)}.html", made.article_of(rule)) if named else ()
        assert {f"../rules/{area_of(name)}.html#{name}" for name in named} <= {*links}, rule


def test_a_link_to_another_site_is_in_a_list_of_links(made: Site) -> None:
    """Names, baselines, postures, undeclared capabilities, the museum and dialects have links.

    In a text of our own, a dead link would not be noticed.
    """
    links = {name.link for concept in names().concepts.values() for name in concept.names().values()}
    differences = [difference for one in results().implementations for difference in one.differences]
    links |= {link for one in differences for link in (one.link, one.thread)}
    links |= {entry.link for tool in TOOLS for entry in tool.baseline.known}
    links |= {link for one in COMMANDS for line in reasons(one.entries()) for link in re.findall(r"\]\((\S*)\)", line)}
    links |= {posture.link for one in results().implementations for posture in one.postures.values()}
    links |= {reason.link for one in implementations(()) for reason in one.undeclared or ()}
    links |= {bug.link for bug in museum()} | {thread.link for thread in threads()}
    links |= {link for one in dialects().values() for link in one.documents}
    links |= {choice.link for one in dialects().values() for choice in one.axes.values()}

    elements = [element for name in made.pages for element in made.page(name).elements]
    found = {target for e in elements if is_elsewhere(e, target := e.attributes.get("href"))}
    assert found == links - {""}


def test_a_page_has_a_title_of_its_own_one_heading_and_no_anchor_twice(made: Site) -> None:
    """And says in which language it is written. Every rule has one anchor, on the page of its area."""
    titles = [made.page(name).all("title")[0].text for name in made.pages]
    known = set(ledger().rules)
    anchors = [(name, anchor) for name in made.pages for anchor in made.anchors(name).elements()]

    assert len(set(titles)) == len(titles)
    assert {len(made.page(name).all("h1")) for name in made.pages} == {1}
    assert {made.page(name).all("html")[0].attributes.get("lang") for name in made.pages} == {"en"}
    assert len(set(anchors)) == len(anchors)
    of_rules = sorted((name, anchor) for name, anchor in anchors if anchor in known)
    assert of_rules == sorted((f"rules/{area_of(rule)}.html", rule) for rule in known)


def test_the_navigation_has_every_page_once_and_marks_the_current_one(made: Site) -> None:
    """In six groups. A page in a folder marks the page above it."""
    named = [page for group in GROUPS for page in group.pages]
    assert len(GROUPS) == 6
    assert sorted(named) == sorted({name for name in made.pages if name.partition("/")[0] not in FOLDERS} - {SEARCH})

    for name in made.pages:
        marked = [e for e in made.page(name).all("a") if e.attributes.get("aria-current")]
        above = FOLDERS.get(name.partition("/")[0])
        groups = [group for group in GROUPS if (above or name) in group.pages]
        assert [(e.text, e.attributes["aria-current"]) for e in marked if e.attributes.get("class") != "tab"] == [
            (group.pages[above or name], "true" if above else "page") for group in groups
        ]
        assert [e.text for e in marked if e.attributes.get("class") == "tab"] == [group.name for group in groups]


def test_the_course_is_first_and_leads_from_page_to_page(made: Site) -> None:
    """The start page lists its pages with their titles, and each page has a link to the next."""
    addresses = [*GROUPS[0].pages]
    titles = [on_one_line(made.page(name).all("h1")[0].text) for name in addresses]

    assert addresses == [f"course/{name}.html" for name in COURSE]
    assert " ".join(titles) in made.main("index.html")
    for name, following in pairwise(addresses):
        assert f"../{following}" in made.links(name, made.page(name).all("main")[0])


def test_the_index_of_the_search_has_everything_with_its_text_at_its_address(made: Site) -> None:
    """Each rule, area, phrase, role, capability, mutant, name, page, picture, example and so on."""
    script = made.files["index.js"]
    entries = json.loads(script.removeprefix("window.loopspecIndex = ").removesuffix(";\n"))
    for _, name, title, _, _, place in entries:
        shown = on_one_line(made.at(place).text if "#" in place else made.main(place))
        assert on_one_line(name) in shown or on_one_line(title) in shown, place

    said = {section.title: sum(len(group.items) for group in section.groups) for section in vocabulary.sections()}
    of_rules = {"documented", "derived", "clarified", *(row.status for row in ledger().rules.values())}
    kinds = Counter("rule" if kind in of_rules else kind for kind, *_ in entries)
    assert kinds == {
        "rule": len(ledger().rules),
        "api": sum(len(room.names) for room in api()),
        "area": len(order().areas),
        "axis": len(instruction_axes()),
        "dialect": len(dialects()),
        "lint": len(lint_rules()),
        "phrase": len(BOOK.phrases),
        "column": said["Tables"],
        "action": said["Actions"],
        "gate": said["Gates"],
        "role": len(ROLES),
        "capability": len(CAPABILITIES),
        "mutant": len(MUTANTS),
        "concept": len(names().concepts),
        "name": sum(name.name != NO_NAME for one in names().concepts.values() for name in one.names().values()),
        "page": len(COURSE) + len(PAGES) + 1,
        "command": len(manual().commands),
        "method": len(FROM_HARNESS.keys() | FROM_ADAPTER.keys()),
        "picture": len(figures()),
        "example": len(programs()),
    }


@pytest.mark.parametrize("page", ["decisions.html", "mutants.html", "phrases.html", "uncovered.html"])
def test_a_long_page_has_its_contents_at_its_side(made: Site, page: str) -> None:
    """Every heading of the second level, in order."""
    (contents,) = made.page(page).all("nav", class_="contents")
    headings = [f"#{e.attributes.get('id')}" for e in made.page(page).all("h2")]

    assert [link for link in made.links(page, contents) if link in headings] == headings
    assert len(headings) >= 6
