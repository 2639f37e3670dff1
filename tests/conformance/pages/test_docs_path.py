"""The opening page of the site, the reading path, the examples, and the tour of the reference."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

import loopspec_reference
from loopspec.pages import address, rules
from loopspec_docs.highlighting import highlighted
from loopspec_docs.site.examples import SHOWN, programs
from loopspec_docs.site.path import PATH
from loopspec_docs.site.route import CHAPTERS, LEFT_OUT
from loopspec_docs.site.tour import tour

from .conftest import Site, on_one_line

EXAMPLES = Path(__file__).parents[3] / "examples"
REFERENCE = Path(loopspec_reference.__file__).parent
MODULES = [module for part in tour() for module in part.modules]


def links_of(made: Site, page: str) -> list[str]:
    """The addresses that a page links to, from the folder of the site."""
    return [(element.attributes["href"] or "").removeprefix("../") for element in made.page(page).all("a")]


def test_the_opening_page_says_what_it_is_with_a_picture(made: Site) -> None:
    """Three sentences, then the loop, then the reading path; and an entry for each kind of reader."""
    page = made.page("index.html")
    paragraph = next(element for element in page.all("p") if element.text.startswith("loopspec specifies"))
    tags = [element.attributes.get("id") or "" for element in page.elements]

    assert len(re.findall(r"\.(?:\s|$)", paragraph.text)) == 3
    order = [tags.index(name) for name in ("picture-loop", "path", "maintain", "write", "contribute", "rules")]
    assert order == sorted(order)
    assert [element.attributes["role"] for element in page.all("svg")] == ["img"]


def test_the_reading_path_has_ten_pages(made: Site) -> None:
    """Each a page of the site, once, in order, with what a reader learns there and how long it takes."""
    links = [link for link in links_of(made, "index.html") if link in {step.address for step in PATH}]
    text = made.main("index.html")

    assert len(PATH) == len({step.address for step in PATH}) == 10
    assert {step.address for step in PATH} <= set(made.pages)
    start = links.index(PATH[0].address)
    assert links[start : start + 10] == [step.address for step in PATH]
    for step in PATH:
        assert f"{step.title} {step.minutes} min{step.learn}" in text
        assert step.minutes > 0
        assert re.fullmatch(r"[^.]+\.", step.learn)


def test_a_step_of_the_path_has_the_title_of_its_page(made: Site) -> None:
    """An area has its name before its title."""
    for step in PATH:
        (heading,) = made.page(step.address).all("h1")
        assert on_one_line(heading.text).removeprefix(f"{Path(step.address).stem} ") == step.title


@pytest.mark.parametrize(
    ("entry", "addresses"),
    [
        (
            "maintain",
            {
                "guide/write-an-adapter-in-python.html",
                "guide/write-an-adapter-in-any-language.html",
                "guide/verdicts-and-baselines.html",
                "results.html",
            },
        ),
        ("write", {"examples/agentsmd.html", "documents/agentsmd.html", "command-line.html#loopspec-show"}),
        ("contribute", {"phrases.html", "mutants.html", "reference.html"}),
    ],
)
def test_an_entry_of_the_opening_page_leads_to_what_its_reader_needs(
    made: Site, entry: str, addresses: set[str]
) -> None:
    """The guide and the results, the example and the rules of AgentsMD, or the phrasebook."""
    (panel,) = (e for e in made.page("index.html").all("section") if e.attributes.get("aria-labelledby") == entry)
    links = {
        link.attributes["href"]
        for link in made.page("index.html").all("a")
        if panel.begin <= link.begin and (link.end or 0) <= (panel.end or 0)
    }

    assert addresses <= links
    assert ("CONTRIBUTING.md" in panel.text) == (entry == "contribute")


@pytest.mark.parametrize("page", ["decisions.html", "mutants.html", "phrases.html", "uncovered.html"])
def test_a_long_page_has_its_contents_at_its_side(made: Site, page: str) -> None:
    """Every heading of the second level, in order."""
    (contents,) = (e for e in made.page(page).all("nav") if e.attributes.get("class") == "contents")
    listed = [
        (link.attributes["href"] or "").removeprefix("#")
        for link in made.page(page).all("a")
        if contents.begin <= link.begin and (link.end or 0) <= (contents.end or 0)
    ]
    headings = [e.attributes.get("id") for e in made.page(page).all("h2")]

    assert [name for name in listed if name in headings] == headings
    assert len(headings) >= 6


def test_each_page_of_the_path_leads_to_the_next(made: Site) -> None:
    """At its foot; the last one leads back to the rules, and no other page has such a foot."""
    following = {
        step.address: after.address for step, after in zip(PATH, [*PATH[1:], None], strict=True) if after is not None
    }
    for name in made.pages:
        feet = [element for element in made.page(name).all("nav") if element.attributes["aria-label"] == "Reading path"]
        assert len(feet) == (name in {step.address for step in PATH})
        if not feet:
            continue
        inside = [
            e for e in made.page(name).all("a") if e.begin >= feet[0].begin and (e.end or 0) <= (feet[0].end or 0)
        ]
        last = (inside[-1].attributes["href"] or "").removeprefix("../")
        assert last == following.get(name, "index.html#rules")
        assert on_one_line(feet[0].text).startswith(f"Page {[s.address for s in PATH].index(name) + 1} of 10")


def test_the_times_of_the_path_fit_the_length_of_its_pages(made: Site) -> None:
    """From 10 to 400 words a minute, without what is folded."""
    for step in PATH:
        page = made.page(step.address)
        folded = sum(len(element.text.split()) for element in page.all("details"))
        words = len(page.all("main")[0].text.split()) - folded
        assert 10 <= words / step.minutes <= 400, step.address


def test_every_program_of_the_examples_has_a_page(made: Site) -> None:
    """With its source, the source of what it imports, its commands and its output."""
    with_main = {path.stem for path in EXAMPLES.glob("*.py") if "__main__" in path.read_text(encoding="utf-8")}
    page = (EXAMPLES / "README.md").read_text(encoding="utf-8")

    assert {program.name for program in programs()} == with_main
    assert [program.name for program in programs()] == re.findall(r"^## \d+\. .+\n\n\[(\w+)\.py\]", page, re.MULTILINE)
    for program in programs():
        text = made.page(program.address).all("main")[0].text
        assert (EXAMPLES / f"{program.name}.py").read_text(encoding="utf-8") in text
        assert program.session.rstrip("\n") in text
        assert f"```console\n{program.session}```" in page
        for module in program.imports:
            assert (EXAMPLES / f"{module.name}.py").read_text(encoding="utf-8") in text
        assert program.address in links_of(made, "examples.html")
    imported = {module.name for program in programs() for module in program.imports}
    assert with_main | imported == {path.stem for path in EXAMPLES.glob("*.py")}


def test_an_example_names_rules_with_examples(made: Site) -> None:
    """Each with its sentence and a link."""
    assert SHOWN.keys() == {program.name for program in programs()}
    for program in programs():
        text = made.main(program.address)
        for name in program.rules:
            assert rules()[name].status == "scenario"
            assert on_one_line(rules()[name].sentence) in text
            assert address(name) in links_of(made, program.address)


def test_every_module_of_the_reference_is_in_the_tour_once() -> None:
    """Or is left out with a reason."""
    there = sorted(".".join(p.relative_to(REFERENCE).with_suffix("").parts) for p in REFERENCE.rglob("*.py"))
    stops = [stop.module for chapter in CHAPTERS for stop in chapter.stops]

    assert sorted([*stops, *LEFT_OUT]) == there
    assert all(LEFT_OUT.values())
    assert {name for name in LEFT_OUT if not name.endswith("__init__")} == set()


def test_the_tour_shows_each_module_with_its_source(made: Site) -> None:
    """Its docstring, our words, its functions, the rules that its source names, and the source itself, folded."""
    links = links_of(made, "reference.html")
    for module in MODULES:
        text = made.at(f"reference.html#{module.name.replace('.', '-').replace('_', '-')}").text
        assert (REFERENCE / module.path).read_text(encoding="utf-8") == module.source
        assert module.source in text
        assert on_one_line(f"{module.said} {module.text}") in on_one_line(text)
        assert module.functions, module.name
        for function in module.functions:
            assert on_one_line(f"{function.name}{function.said}") in on_one_line(text), function.name
            assert len(function.said.split()) > 1
        assert {address(name) for name in module.rules} <= set(links)
    sources = made.page("reference.html").all("details")
    assert len(sources) == len(MODULES)
    assert all("open" not in element.attributes for element in sources)


def test_the_tour_names_the_rules_of_a_source() -> None:
    """And no word that only looks like a rule."""
    by_name = {module.name: module for module in MODULES}

    assert "ORDER-MODEL-01" in by_name["loop.model_calls"].rules
    assert {rule for module in MODULES for rule in module.rules} <= rules().keys()
    assert sum(bool(module.rules) for module in MODULES) > len(MODULES) / 2


@pytest.mark.parametrize("source", [module.source for module in MODULES], ids=[module.name for module in MODULES])
def test_colors_change_no_character_of_a_source(source: str) -> None:
    """The text of the page can be copied and run; some of it is colored."""
    shown = str(highlighted(source))

    assert html.unescape(re.sub(r"</?span[^>]*>", "", shown)) == source
    assert set(re.findall(r'<span class="(\w+)">', shown)) >= {"note", "word"}


def test_what_looks_like_html_in_a_source_is_text() -> None:
    """In code and in strings."""
    shown = str(highlighted('print("<b>&" < other)\n'))

    assert "<b>" not in shown
    assert "&lt;b&gt;&amp;" in shown
