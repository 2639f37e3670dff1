"""`loopspec docs`: the whole specification is on the site, each part in one place, and every link has a target."""

from __future__ import annotations

import importlib
import inspect
import json
import posixpath
import re
from functools import partial
from urllib.parse import unquote

import pytest
from markupsafe import Markup

from loopspec.contract.capabilities import CAPABILITIES
from loopspec.contract.dialects import instruction_axes, value_of_rule
from loopspec.contract.roles import ROLES
from loopspec.pages import features, rules
from loopspec.pages.theme import coded
from loopspec.protocol.methods import FROM_ADAPTER, FROM_HARNESS
from loopspec.specification.cases import area_of
from loopspec.specification.features import compiled
from loopspec.specification.ledger import JUDGED, NORMATIVE, ledger
from loopspec.specification.museum import museum
from loopspec.specification.names import NO_NAME, names
from loopspec.specification.order import order
from loopspec_docs.manual import manual
from loopspec_docs.pictures import figures
from loopspec_docs.site.api import api
from loopspec_docs.site.dialects import dialects
from loopspec_docs.site.examples import programs
from loopspec_docs.site.guide import PAGES
from loopspec_docs.site.links import slug
from loopspec_docs.site.linting import lint_rules
from loopspec_docs.site.results import implementations
from loopspec_docs.site.tour import tour
from loopspec_known.results import results
from loopspec_mutants import MUTANTS
from loopspec_mutants.rewriting import Rewriting
from loopspec_steps import BOOK, vocabulary
from tools.pages import reasons
from tools.store_table import COMMANDS
from tools.workspace_tools import TOOLS

from ..parsed_page import Element
from .conftest import Site, on_one_line


def test_every_rule_of_the_ledger_has_exactly_one_anchor(made: Site) -> None:
    """At the address that follows from its id."""
    known = set(ledger().rules)
    found = [(name, anchor) for name in made.pages for anchor in made.anchors(name).elements() if anchor in known]

    assert sorted(found) == sorted((f"rules/{area_of(rule)}.html", rule) for rule in known)


def is_elsewhere(element: Element, target: str | None) -> bool:
    """Whether it is a link to another site: a page loads nothing from there."""
    return element.tag == "a" and (target or "").startswith("https://")


def test_every_link_leads_to_a_file_and_an_anchor_of_the_site(made: Site) -> None:
    """And there are thousands of them, and all are relative, except for links to other sites."""
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


@pytest.mark.parametrize("what", ["http:", "https:", "//", "<base", "@import url"])
def test_nothing_is_loaded_from_elsewhere(made: Site, what: str) -> None:
    """Neither by an attribute nor by a style."""
    loading = [
        (name, value)
        for name in made.pages
        for element in made.page(name).elements
        for attribute, value in element.attributes.items()
        if attribute in ("href", "src", "action", "style") and (value or "").startswith(what)
        if not is_elsewhere(element, value)
    ]

    assert loading == []
    assert all(what not in made.files[name] for name in ("theme.css", "site.css"))


def test_a_link_to_another_site_is_in_a_list_of_links(made: Site) -> None:
    """Names, baselines, postures, undeclared capabilities, the museum and dialects have links.

    In a text of our own, a dead link would not be noticed.
    """
    links = {name.link for concept in names().concepts.values() for name in concept.names().values()}
    links |= {difference.link for one in results().implementations for difference in one.differences}
    links |= {entry.link for tool in TOOLS for entry in tool.baseline.known}
    links |= {link for one in COMMANDS for line in reasons(one.entries()) for link in re.findall(r"\]\((\S*)\)", line)}
    links |= {posture.link for one in results().implementations for posture in one.postures.values()}
    links |= {reason.link for one in implementations(()) for reason in one.undeclared or ()}
    links |= {bug.link for bug in museum()}
    links |= {link for one in dialects().values() for link in one.documents}
    links |= {choice.link for one in dialects().values() for choice in one.axes.values()}

    elements = [element for name in made.pages for element in made.page(name).elements]
    found = {target for e in elements if is_elsewhere(e, target := e.attributes.get("href"))}
    assert found == links - {""}


def test_no_page_has_an_anchor_twice(made: Site) -> None:
    """A link could lead to the first only."""
    assert {name for name in made.pages if max(made.anchors(name).values(), default=1) > 1} == set()


def test_every_page_has_a_title_of_its_own_and_one_heading(made: Site) -> None:
    """And says in which language it is written."""
    titles = [made.page(name).all("title")[0].text for name in made.pages]

    assert len(set(titles)) == len(titles)
    assert {len(made.page(name).all("h1")) for name in made.pages} == {1}
    assert {made.page(name).all("html")[0].attributes.get("lang") for name in made.pages} == {"en"}


def test_a_rule_is_there_with_all_of_its_text(made: Site) -> None:
    """Its sentence and its Gherkin: backgrounds, titles, steps, cells and docstrings, in their order."""
    for feature in features():
        for written in feature.rules:
            article = made.article_of(written.ids[0])
            texts = [written.sentence, *(step.text for step in (*feature.background, *written.background))]
            for scenario in written.scenarios:
                texts.append(scenario.title)
                for step in scenario.steps:
                    texts += [step.keyword, step.text, *(cell for row in step.table for cell in row)]
                    texts += [step.docstring] if step.docstring else []
                for rows in scenario.examples:
                    texts += [rows.name, *(cell for row in rows.table for cell in row)]
            rest = article.text
            for text in filter(None, texts):
                _, found, rest = rest.partition(text)
                assert found == text, (written.ids, text)


def test_a_rule_says_its_basis(made: Site) -> None:
    """With its sections, its decision and its mutants; and without a scenario, the reason."""
    for rule, row in ledger().rules.items():
        article = made.article_of(rule)
        text = on_one_line(article.text)
        assert ("by dialect" if rule in value_of_rule() else row.basis) in text
        assert on_one_line(row.decision) in text
        assert not row.where or f"{on_one_line(row.where)}: {on_one_line(row.says)}" in text
        for titles in (row.sections, *row.also.values()):
            assert all(on_one_line(title) in text for title in titles)
        if row.status != "scenario":
            assert row.status in text
            assert (row.variant or row.into or ledger().reasons.get(row.reason, row.status)) in text
            assert row.sentence in text
        for mutant in MUTANTS.values():
            if mutant.rule == rule:
                assert f"{mutant.name}: {on_one_line(mutant.sentence)}" in text


def test_a_feature_is_on_the_page_of_each_of_its_areas(made: Site) -> None:
    """With its prose, and its background in each of its rules."""
    for feature in features():
        for area in {area_of(rule) for written in feature.rules for rule in written.ids}:
            text = made.main(f"rules/{area}.html")
            assert feature.title in text
            assert all(paragraph in text for paragraph in feature.prose)
            own = sum(any(area_of(rule) == area for rule in written.ids) for written in feature.rules)
            for step in feature.background:
                assert text.count(on_one_line(step.text)) >= own


def test_the_start_page_counts_the_rules(made: Site) -> None:
    """And leads to every area and every document."""
    text = made.main("index.html")
    found = list(ledger().rules.values())
    with_examples = [row for row in found if row.status == "scenario"]
    judged = [row for row in found if row.status in JUDGED]
    normative = [row for row in judged if row.basis in NORMATIVE]

    assert f"in {len(found)} rules." in text
    assert f"{len(with_examples)} rules have examples, and {len(judged) - len(with_examples)} are judged" in text
    assert f"{len(normative)} of these rules are normative" in text
    assert f"{len(found) - len(judged)} rules are not judged" in text
    for basis in ("documented", "derived", "clarified"):
        assert f"{basis} {sum(row.basis == basis for row in judged)} rules" in text
    links = {element.attributes["href"] for element in made.page("index.html").all("a")}
    assert {f"rules/{area_of(rule)}.html" for rule in found_ids()} <= links
    assert {f"documents/{key}.html" for key in ledger().documents} <= links


def found_ids() -> set[str]:
    """The ids of all rules."""
    return set(ledger().rules)


def test_a_document_lists_its_sections_with_their_rules(made: Site) -> None:
    """In their order; a section without a rule says why."""
    for key, sections in ledger().sections.items():
        headings = [element.text for element in made.page(f"documents/{key}.html").all("h2")]
        assert headings[: len(sections)] == list(sections)
        blocks = [
            e for e in made.page(f"documents/{key}.html").all("section") if e.attributes.get("class") == "of-section"
        ]
        for (title, reason), block in zip(sections.items(), blocks, strict=False):
            words = set(block.text.split())
            expected = {
                rule
                for rule, row in ledger().rules.items()
                if (row.document == key and title in row.sections) or title in row.also.get(key, ())
            }
            assert words & found_ids() == expected
            assert reason in block.text
    beyond = {rule for rule, row in ledger().rules.items() if row.document == "loopspec"}
    assert set(made.page("documents/loopspec.html").all("main")[0].text.split()) >= beyond


def test_the_phrasebook_has_every_phrase_with_its_meaning(made: Site) -> None:
    """Once, and with rules that use it."""
    text = made.main("phrases.html")
    terms = [on_one_line(element.text) for element in made.page("phrases.html").all("dt")]

    assert sorted(terms) == sorted(f"{phrase.kind.capitalize()} {phrase.readable}" for phrase in BOOK.phrases)
    assert all(on_one_line(phrase.meaning) in text for phrase in BOOK.phrases)
    step = next(case for case in compiled() if "AMD-DEPTH-01" in case.rule.ids).steps[0]
    used = BOOK.match(step.kind, step.text).phrase
    assert "AMD-DEPTH-01" in made.at(f"phrases.html#{slug(f'{used.kind} {used.readable}')}").text


def test_the_phrasebook_has_all_that_a_sentence_can_hold(made: Site) -> None:
    """Each column, action, gate, word and type with its meaning; a phrase with a table links to the columns."""
    text = made.main("phrases.html")
    for section in vocabulary.sections():
        for group in section.groups:
            assert on_one_line(group.meaning.replace("`", "")) in text
            for item in group.items:
                assert on_one_line(f"{item.text} {item.meaning.replace('`', '')}") in text, item.text
    page = made.files["phrases.html"]
    for phrase in BOOK.phrases:
        if phrase.columns is not None:
            place = made.at(f"phrases.html#{slug(f'{phrase.kind} {phrase.readable}')}").text
            assert f"Table: {phrase.columns.name}." in on_one_line(place)
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(made.anchors("phrases.html"))


def test_roles_and_capabilities_are_those_of_the_lists(made: Site) -> None:
    """Each with its meaning, at an address that is its name."""
    assert ROLES.keys().isdisjoint(CAPABILITIES)
    for name, meaning in (*ROLES.items(), *CAPABILITIES.items()):
        assert on_one_line(made.at(f"capabilities.html#{name}").text).startswith(f"{name} {on_one_line(str(meaning))}")
    assert "FAILOVER-01" in on_one_line(made.at("capabilities.html#failover").text)


def test_decisions_and_gaps_are_listed(made: Site) -> None:
    """Every decision, every rule without a scenario with its reason, every section and statement without a rule."""
    decisions = made.main("decisions.html")
    uncovered = made.main("uncovered.html")
    for rule, row in ledger().rules.items():
        assert not row.decision or f"{rule} " in decisions
        assert on_one_line(row.decision) in decisions
        assert (f"{rule} {row.basis} {row.status} {row.sentence}" in uncovered) == (row.status not in JUDGED)
    for sections in ledger().sections.values():
        for title, reason in sections.items():
            assert not reason or f"{title} {reason}" in uncovered
    for one in ledger().not_covered:
        assert on_one_line(f"{one.where} {one.says} {one.why}") in uncovered
    assert f"Statements without a rule: {len(ledger().not_covered)}" in uncovered


def test_every_mutant_is_shown_with_its_bug_and_its_source(made: Site) -> None:
    """On the page of the area of its rule: the changed text, or the function with the private ones that it uses."""
    used: set[bool] = set()
    unused: set[bool] = set()
    for mutant in MUTANTS.values():
        text = made.at(f"mutants/{area_of(mutant.rule)}.html#{mutant.name}").text
        assert on_one_line(mutant.sentence) in on_one_line(text)
        assert all(on_one_line(reason) in on_one_line(text) for reason in mutant.neighbors.values())
        if isinstance(mutant.bug, Rewriting):
            assert all(f"+ {line}" in text for change in mutant.bug.changes for line in change.new.split("\n"))
            continue
        function = mutant.bug.func.__name__ if isinstance(mutant.bug, partial) else mutant.name.replace("-", "_")
        assert f"def {function}(" in text
        defined = mutant.bug.func if isinstance(mutant.bug, partial) else mutant.bug
        module = inspect.getsource(importlib.import_module(defined.__module__))
        helpers = set(re.findall(r"^(?:async )?def (_\w+)\(", module, re.MULTILINE)) - {function}
        used |= {f"def {helper}(" in text for helper in helpers if re.search(rf"(?<!def )\b{helper}\(", text)}
        unused |= {f"def {helper}(" in text for helper in helpers if not re.search(rf"(?<!def )\b{helper}\b", text)}
    assert used == {True}
    assert unused == {False}


def test_a_rule_that_another_text_names_is_a_link(made: Site) -> None:
    """Every id in a decision that is one of the ledger's."""
    links = [element for element in made.page("rules/AMD-BUDGET.html").all("a") if element.text == "AMD-BUDGET-12"]

    assert "../rules/AMD-BUDGET.html#AMD-BUDGET-12" in {link.attributes["href"] for link in links}
    assert on_one_line(rules()["AMD-BUDGET-10"].decision) in on_one_line(made.article_of("AMD-BUDGET-10").text)


def test_the_index_of_the_search_has_everything_with_an_address(made: Site) -> None:
    """Each rule, area, phrase, role, capability, mutant, name, page, picture, example and module has its address."""
    script = made.files["index.js"]
    entries = json.loads(script.removeprefix("window.loopspecIndex = ").removesuffix(";\n"))
    kinds: dict[str, int] = {}
    for kind, name, title, _, _, place in entries:
        kinds[kind] = kinds.get(kind, 0) + 1
        file, _, anchor = place.partition("#")
        assert file in made.files
        assert not anchor or anchor in made.anchors(file)
        assert name or title
    said = {section.title: section.groups for section in vocabulary.sections()}
    statuses = {row.status for row in ledger().rules.values()} - {"scenario"}
    of_rules = {"documented", "derived", "clarified", *statuses}

    assert sum(count for kind, count in kinds.items() if kind in of_rules) == len(ledger().rules)
    assert {kind: count for kind, count in kinds.items() if kind not in of_rules} == {
        "api": sum(len(room.names) for room in api()),
        "area": len(order().areas),
        "axis": len(instruction_axes()),
        "dialect": len(dialects()),
        "lint": len(lint_rules()),
        "phrase": len(BOOK.phrases),
        "column": sum(len(group.items) for group in said["Tables"]),
        "action": sum(len(group.items) for group in said["Actions"]),
        "gate": sum(len(group.items) for group in said["Gates"]),
        "role": len(ROLES),
        "capability": len(CAPABILITIES),
        "mutant": len(MUTANTS),
        "concept": len(names().concepts),
        "name": sum(name.name != NO_NAME for one in names().concepts.values() for name in one.names().values()),
        "page": len(PAGES) + 1,
        "command": len(manual().commands),
        "method": len(FROM_HARNESS.keys() | FROM_ADAPTER.keys()),
        "picture": len(figures()),
        "example": len(programs()),
        "module": sum(len(part.modules) for part in tour()),
    }


def test_backticks_become_code(made: Site) -> None:
    """In decisions, and in the meanings of phrases; as text, never as other elements."""
    decided = next(rule for rule in rules().values() if "`" in rule.decision)
    codes = [element.text for element in made.page("decisions.html").all("code")]
    assert set(re.findall("`([^`]+)`", decided.decision)) <= set(codes)
    codes = [element.text for element in made.page("phrases.html").all("code")]
    assert {code for phrase in BOOK.phrases for code in re.findall("`([^`]+)`", phrase.meaning)} <= set(codes)
    assert coded("<b> `<i>` ` &") == Markup("&lt;b&gt; <code>&lt;i&gt;</code> ` &amp;")


def test_what_looks_like_html_in_a_feature_is_text(made: Site) -> None:
    """Such as the tags that instructions are wrapped in."""
    assert "<system-reminder>" in made.article_of("AMD-FORMAT-01").text
    assert all("<system-reminder>" not in text for name, text in made.files.items() if name.endswith(".html"))
    assert any("&lt;system-reminder&gt;" in text for text in made.files.values())
