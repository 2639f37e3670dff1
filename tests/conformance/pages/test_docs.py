"""`loopspec docs`: the whole specification is on the site, each thing in one place, and every link leads somewhere."""

from __future__ import annotations

import json
import posixpath
from functools import cache
from urllib.parse import unquote

import pytest

from loopspec.contract.capabilities import CAPABILITIES, ROLES
from loopspec.pages import TOPICS, address, features, rules
from loopspec.pages.site import site
from loopspec.specification.cases import area_of
from loopspec.specification.ledger import NORMATIVE, ledger
from loopspec_mutants import MUTANTS
from loopspec_steps import BOOK

from ..parsed_page import Element, Page


@cache
def files() -> dict[str, str]:
    """The files of the site."""
    return site("1.2.3")


@cache
def page(name: str) -> Page:
    """One page of it."""
    return Page(files()[name])


def pages() -> list[str]:
    """The names of all pages."""
    return [name for name in files() if name.endswith(".html")]


@cache
def anchors(name: str) -> list[str]:
    """The ids on a page, each as often as it is there."""
    return [element.attributes["id"] or "" for element in page(name).elements if "id" in element.attributes]


def at(place: str) -> Element:
    """What an address leads to."""
    name, _, anchor = place.partition("#")
    (found,) = [element for element in page(name).elements if element.attributes.get("id") == anchor]
    return found


def text_at(place: str) -> str:
    """What can be read there, in one line."""
    return one_line(at(place).text)


def one_line(text: str) -> str:
    """A text without its line ends."""
    return " ".join(text.split())


def article_of(rule: str) -> Element:
    """The article in which a rule stands: its own, or the one it shares."""
    found: Element | None = at(address(rule))
    while found and found.tag != "article":
        found = found.within
    assert found
    return found


def test_every_rule_of_the_ledger_has_exactly_one_anchor() -> None:
    """At the address that follows from its id."""
    known = set(ledger().rules)
    found = [(name, anchor) for name in pages() for anchor in anchors(name) if anchor in known]

    assert sorted(found) == sorted((f"rules/{area_of(rule)}.html", rule) for rule in known)


def test_every_link_leads_to_a_file_and_an_anchor_of_the_site() -> None:
    """And there are thousands of them, and all are relative."""
    broken, count = [], 0
    for name in pages():
        for element in page(name).elements:
            for attribute in ("href", "src", "action"):
                target = element.attributes.get(attribute)
                if target is None:
                    continue
                count += 1
                path, _, anchor = unquote(target).partition("#")
                file = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
                if file not in files() or (anchor and anchor not in anchors(file)):
                    broken.append((name, target))

    assert broken == []
    assert count > 10_000


@pytest.mark.parametrize("what", ["http:", "https:", "//", "<base", "@import url"])
def test_nothing_is_loaded_from_elsewhere(what: str) -> None:
    """Neither by an attribute nor by a style."""
    loading = [
        (name, value)
        for name in pages()
        for element in page(name).elements
        for attribute, value in element.attributes.items()
        if attribute in ("href", "src", "action", "style") and (value or "").startswith(what)
    ]

    assert loading == []
    assert all(what not in files()[name] for name in ("theme.css", "site.css"))


def test_no_page_has_an_anchor_twice() -> None:
    """A link could lead to the first only."""
    assert {name for name in pages() if len(set(anchors(name))) != len(anchors(name))} == set()


def test_every_page_has_a_title_of_its_own_and_one_heading() -> None:
    """And says in which language it is written."""
    titles = [page(name).all("title")[0].text for name in pages()]

    assert len(set(titles)) == len(titles)
    assert {len(page(name).all("h1")) for name in pages()} == {1}
    assert {page(name).all("html")[0].attributes.get("lang") for name in pages()} == {"en"}


def test_a_rule_stands_with_everything_that_is_written_below_it() -> None:
    """Its sentence and its Gherkin: every title, step, cell and text, in their order."""
    for feature in features():
        for written in feature.rules:
            article = article_of(written.ids[0])
            said = [written.sentence]
            for scenario in written.scenarios:
                said.append(scenario.title)
                for step in scenario.steps:
                    said += [step.keyword, step.text, *(cell for row in step.table for cell in row)]
                    said += [step.docstring] if step.docstring else []
                for rows in scenario.examples:
                    said += [rows.name, *(cell for row in rows.table for cell in row)]
            rest = article.text
            for text in filter(None, said):
                _, found, rest = rest.partition(text)
                assert found == text, (written.ids, text)


def test_a_rule_says_what_it_rests_on() -> None:
    """Its basis, its sections, its decision, its mutants; and without a scenario, why."""
    for rule, row in ledger().rules.items():
        article = article_of(rule)
        text = one_line(article.text)
        assert row.basis in text
        assert one_line(row.decision) in text
        for titles in (row.sections, *row.also.values()):
            assert all(one_line(title) in text for title in titles)
        if row.status != "scenario":
            assert row.status in text
            assert ledger().reasons[row.reason] in text
            assert row.sentence in text
        for mutant in MUTANTS.values():
            if mutant.rule == rule:
                assert f"{mutant.name}: {one_line(mutant.sentence)}" in text


def test_a_feature_stands_on_the_page_of_each_of_its_areas() -> None:
    """With its prose, and what it gives before every example."""
    for feature in features():
        for area in {area_of(rule) for written in feature.rules for rule in written.ids}:
            text = one_line(page(f"rules/{area}.html").all("main")[0].text)
            assert feature.title in text
            assert all(paragraph in text for paragraph in feature.prose)
            assert all(step.text in text for step in feature.background)


def test_the_beginning_counts_what_the_ledger_has() -> None:
    """And leads to every area and every document."""
    text = one_line(page("index.html").all("main")[0].text)
    found = list(ledger().rules.values())
    with_examples = [row for row in found if row.status == "scenario"]
    normative = [row for row in with_examples if row.basis in NORMATIVE]

    assert f"in {len(found)} rules." in text
    assert f"{len(with_examples)} rules have examples, and {len(normative)} of them decide" in text
    for basis in ("documented", "derived", "clarified"):
        assert f"{basis} {sum(row.basis == basis for row in with_examples)} rules" in text
    links = {element.attributes["href"] for element in page("index.html").all("a")}
    assert {f"rules/{area_of(rule)}.html" for rule in found_ids()} <= links
    assert {f"documents/{key}.html" for key in ledger().documents} <= links


def found_ids() -> set[str]:
    """The ids of all rules."""
    return set(ledger().rules)


def test_every_area_is_named() -> None:
    """By what it is about; and nothing is named that is none."""
    assert set(TOPICS) == {area_of(rule) for rule in found_ids()}


def test_a_document_lists_its_sections_with_their_rules() -> None:
    """In their order; a section without a rule says why."""
    for key, sections in ledger().sections.items():
        headings = [element.text for element in page(f"documents/{key}.html").all("h2")]
        assert headings[: len(sections)] == list(sections)
        blocks = [e for e in page(f"documents/{key}.html").all("section") if e.attributes.get("class") == "of-section"]
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
    assert set(page("documents/loopspec.html").all("main")[0].text.split()) >= beyond


def test_the_phrasebook_has_every_phrase_with_its_meaning() -> None:
    """Once, and with rules that say it."""
    text = one_line(page("phrases.html").all("main")[0].text)
    terms = [one_line(element.text) for element in page("phrases.html").all("dt")]

    assert sorted(terms) == sorted(f"{phrase.kind.capitalize()} {phrase.readable}" for phrase in BOOK.phrases)
    assert all(phrase.meaning in text for phrase in BOOK.phrases)
    assert "AMD-DEPTH-01" in text_at("phrases.html#given-an-import-chain-from-path-that-reaches-level-level")


def test_roles_and_capabilities_are_those_of_the_lists() -> None:
    """Each with its meaning, at an address that is its name."""
    assert ROLES.keys().isdisjoint(CAPABILITIES)
    for name, meaning in (*ROLES.items(), *CAPABILITIES.items()):
        assert text_at(f"capabilities.html#{name}").startswith(f"{name} {meaning}")
    assert "FAILOVER-01" in text_at("capabilities.html#failover")


def test_decisions_and_gaps_are_listed() -> None:
    """Every decision, every rule without a scenario with its reason, every section without a rule."""
    decisions = one_line(page("decisions.html").all("main")[0].text)
    uncovered = one_line(page("uncovered.html").all("main")[0].text)
    for rule, row in ledger().rules.items():
        assert not row.decision or f"{rule} " in decisions
        assert one_line(row.decision) in decisions
        assert (f"{rule} {row.basis} {row.status} {row.sentence}" in uncovered) == (row.status != "scenario")
    for sections in ledger().sections.values():
        for title, reason in sections.items():
            assert not reason or f"{title} {reason}" in uncovered


def test_every_mutant_is_shown_with_its_vice_and_its_source() -> None:
    """On the page of the area that it lies in, with what it stands on in its module."""
    for mutant in MUTANTS.values():
        text = at(f"mutants/{area_of(mutant.rule)}.html#{mutant.name}").text
        assert mutant.sentence in one_line(text)
        assert f"def {mutant.name.replace('-', '_')}(" in text
        assert all(one_line(reason) in one_line(text) for reason in mutant.neighbours.values())
    assert "def _silent_about_cycles_of(" in at("mutants/AMD-CYCLE.html#sees-no-pairs").text
    assert "def _silent_about_cycles_of(" not in at("mutants/AMD-CYCLE.html#stops-at-a-circle").text


def test_a_rule_that_another_text_names_is_a_link() -> None:
    """Every id in a decision that is one of the ledger's."""
    links = [element for element in page("rules/AMD-BUDGET.html").all("a") if element.text == "AMD-BUDGET-12"]

    assert "../rules/AMD-BUDGET.html#AMD-BUDGET-12" in {link.attributes["href"] for link in links}
    assert rules()["AMD-BUDGET-10"].decision in article_of("AMD-BUDGET-10").text


def test_the_index_of_the_search_has_everything_with_an_address() -> None:
    """Each rule, area, phrase, role, capability and mutant; and every address is there."""
    script = files()["index.js"]
    entries = json.loads(script.removeprefix("window.loopspecIndex = ").removesuffix(";\n"))
    kinds: dict[str, int] = {}
    for kind, name, title, _, _, place in entries:
        kinds[kind] = kinds.get(kind, 0) + 1
        file, _, anchor = place.partition("#")
        assert file in files()
        assert not anchor or anchor in anchors(file)
        assert name or title
    statuses = {row.status for row in ledger().rules.values()} - {"scenario"}
    of_rules = {"documented", "derived", "clarified", *statuses}

    assert sum(count for kind, count in kinds.items() if kind in of_rules) == len(ledger().rules)
    assert {kind: count for kind, count in kinds.items() if kind not in of_rules} == {
        "area": len(TOPICS),
        "phrase": len(BOOK.phrases),
        "role": len(ROLES),
        "capability": len(CAPABILITIES),
        "mutant": len(MUTANTS),
    }


def test_what_looks_like_html_in_a_feature_is_text() -> None:
    """Such as the tags that instructions are wrapped in."""
    assert "<system-reminder>" in article_of("AMD-FORMAT-01").text
    assert all("<system-reminder>" not in text for name, text in files().items() if name.endswith(".html"))
    assert any("&lt;system-reminder&gt;" in text for text in files().values())
