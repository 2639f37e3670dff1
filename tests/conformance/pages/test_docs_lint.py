"""The site's page of lint rules."""

from __future__ import annotations

import json

import pytest

from loopspec.contract.dialects import dialect_names
from loopspec_instructions.linting import Rule, rules, tools_by_name

from .conftest import Site, on_one_line

PAGE, GUIDE = "lint.html", "guide/lint-instruction-files.html"


@pytest.mark.parametrize("rule", rules().values(), ids=lambda rule: rule.id)
def test_every_rule_has_an_article_with_its_example(made: Site, rule: Rule) -> None:
    """With the reason, what to do, every file of the example, and the place of the finding."""
    words = on_one_line(made.at(f"{PAGE}#{rule.id}").text)

    for text in (rule.title, rule.why, rule.fix):
        assert on_one_line(text) in words
    assert f"{rule.example.path}:{rule.example.line}" in words
    for path in (*rule.example.entries, *rule.example.twin, *rule.example.without):
        assert path.removeprefix("project/") in words


def test_the_page_the_guide_and_the_dialects_lead_to_each_other(made: Site) -> None:
    """The table of file names leads to the page of each tool."""
    links = {page: {each.attributes["href"] for each in made.page(page).all("a")} for page in made.pages}

    assert {GUIDE, "dialects.html"} <= links[PAGE]
    assert {f"../{PAGE}#each", f"../{PAGE}#tools"} <= links[GUIDE]
    assert PAGE in links["dialects.html"]
    assert "dialects.html" in links["index.html"]
    named = {tool for tools in tools_by_name().values() for tool in tools}
    assert {f"dialects/{tool}.html" for tool in named} <= links[PAGE]
    assert named <= set(dialect_names())


def test_a_rule_is_found_by_the_search(made: Site) -> None:
    """By its id, its title and its reason."""
    index = json.loads(made.files["index.js"].partition("= ")[2].rstrip(";\n"))

    found = {name: (title, more, where) for kind, name, title, _, more, where in index if kind == "lint"}
    assert found == {rule.id: (rule.title, f"{rule.why} {rule.fix}", f"{PAGE}#{rule.id}") for rule in rules().values()}
