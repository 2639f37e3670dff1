"""The site's pages about instruction files: the table of dialects and axes, and a page for each dialect."""

from __future__ import annotations

import json

import pytest

from loopspec.contract.dialects import dialect, dialect_names, holders, instruction_axes, value_of_rule
from loopspec.pages import address
from loopspec_docs.site.dialects import dialects

from ..parsed_page import Element
from .conftest import Site, on_one_line

MATRIX = "dialects.html"


def links(element: Element, made: Site, page: str) -> set[str]:
    """The targets of the links in an element."""
    found = set()
    for each in made.page(page).all("a"):
        around: Element | None = each
        while around is not None and around is not element:
            around = around.within
        if around is element:
            found.add(each.attributes["href"] or "")
    return found


def test_every_dialect_has_its_value_on_every_axis(made: Site) -> None:
    """A value leads to its rule, and a letter to the source on the page of the dialect. A mark shows a difference."""
    cells = {
        (cell.attributes["data-axis"], cell.attributes["data-dialect"]): cell
        for cell in made.page(MATRIX).all("td")
        if "data-axis" in cell.attributes
    }

    assert cells.keys() == {(axis, name) for axis in instruction_axes() for name in dialect_names()}
    for (axis, name), cell in cells.items():
        assert axis is not None
        assert name is not None
        choice = dialect(name).axes.get(axis)
        words = on_one_line(cell.text)
        kinds = (cell.attributes["class"] or "").split()
        if choice is None:
            assert (words, kinds) == ("–not concerned", ["none"])
            continue
        basis = "documented" if choice.documented else "measured" if choice.measured else "unknown"
        shown = "?unknown" if choice.unknown else f"{choice.judged} {basis[0].upper()}{basis}"
        shown += f" ≠the tool instead: {choice.observed}" if choice.observed else ""
        assert words == shown
        assert kinds == [basis, *(["differs"] if choice.observed else [])]
        values = instruction_axes()[axis].values
        rules = {address(values[each].rule) for each in (choice.judged, choice.observed) if each in values}
        assert links(cell, made, MATRIX) == {f"dialects/{name}.html#{axis}", *rules}
        assert bool(rules) == (basis != "unknown")


def test_the_head_of_the_table_marks_what_is_not_judged(made: Site) -> None:
    """The judged tools have their version; a dialect by its document alone says so."""
    heads = [cell for cell in made.page(MATRIX).all("th") if cell.attributes.get("scope") == "col"][1:]

    assert [on_one_line(head.text) for head in heads] == [
        f"{known.title} {known.version if known.judged else 'not judged: document alone'}"
        for known in dialects().values()
    ]
    assert {known.judged for known in dialects().values()} == {True, False}


@pytest.mark.parametrize("name", dialect_names())
def test_the_page_of_a_dialect_has_each_axis_with_its_source(made: Site, name: str) -> None:
    """The question, the value with its rule, the link of a documented value, and what is observed instead."""
    page, known = f"dialects/{name}.html", dialect(name)

    for axis, of in instruction_axes().items():
        article = made.at(f"{page}#{axis}")
        words, found = on_one_line(article.text), links(article, made, page)
        assert of.question in words
        assert f"../{MATRIX}#{axis}" in found
        choice = known.axes.get(axis)
        if choice is None:
            assert f"The question does not concern {known.title}." in words
            continue
        values = [of.values[value] for value in (choice.judged, choice.observed) if value in of.values]
        for value in values:
            assert value.sentence in words
            assert f"../{address(value.rule)}" in found
        if choice.documented:
            assert on_one_line(choice.says) in words
            assert choice.link in found
        elif choice.measured:
            assert f"with {known.title} {known.version}; the document is silent" in words
        else:
            assert on_one_line(choice.unknown) in words
        assert ("differs from its document" in words) == bool(choice.observed)


def test_every_rule_leads_to_the_dialects_with_its_value(made: Site) -> None:
    """And each link says where the value comes from."""
    for rule, (axis, value) in value_of_rule().items():
        page = address(rule).partition("#")[0]
        article = made.article_of(rule)
        found = {link for link in links(article, made, page) if link.startswith("../dialects/")}
        assert found == {f"../dialects/{one.name}.html#{axis}" for one in holders(axis, value)}
        words = on_one_line(article.text)
        for one in holders(axis, value):
            how = "against its document" if one.how == "observed" else one.how
            assert f"{one.name} ({how})" in words
        assert f"../{MATRIX}#{axis}" in links(article, made, page)


def test_a_rule_of_a_dialect_is_no_choice_of_ours(made: Site) -> None:
    """The basis of a rule of instruction files is that of the dialect."""
    for rule in value_of_rule():
        words = on_one_line(made.article_of(rule).text)
        assert "by dialect" in words
        assert "Our choice" not in words


def test_dialects_and_axes_are_found_by_the_search(made: Site) -> None:
    index = json.loads(made.files["index.js"].partition("= ")[2].rstrip(";\n"))

    found = {(kind, name): where for kind, name, _, _, _, where in index if kind in ("dialect", "axis")}
    assert found == {
        **{("dialect", name): f"dialects/{name}.html" for name in dialect_names()},
        **{("axis", name): f"{MATRIX}#{name}" for name in instruction_axes()},
    }
