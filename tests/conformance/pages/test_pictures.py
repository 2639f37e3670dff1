"""The pictures: each claim has its rules, each picture its text, and each area its pictures."""

from __future__ import annotations

import re

import pytest

from loopspec.pages import address, rules
from loopspec.specification.order import order
from loopspec_docs.pictures import Figure, figures, figures_of

from .conftest import Site, on_one_line

FIGURES = figures()


@pytest.fixture(params=FIGURES, ids=lambda figure: figure.name)
def figure(request: pytest.FixtureRequest) -> Figure:
    """Each picture."""
    found: Figure = request.param
    return found


def test_every_rule_of_a_picture_has_examples(figure: Figure) -> None:
    """None is merged into another rule, withdrawn, or without a scenario."""
    named = list(figure.rules)

    assert named
    assert {rule: rules()[rule].status for rule in named if rule in rules()} == dict.fromkeys(named, "scenario")


def test_every_claim_names_its_rules(figure: Figure) -> None:
    """In a list, each claim; in a table that is no repetition of a drawing, each row."""
    assert [claim.label for claim in figure.claims if not claim.rules] == []
    if figure.drawing is None:
        assert figure.table
        assert [row[0].text for row in figure.table.rows if not any(cell.rules for cell in row)] == []
    if figure.table:
        assert {len(row) for row in figure.table.rows} == {len(figure.table.columns)}


def test_the_page_has_every_picture_with_its_words(made: Site, figure: Figure) -> None:
    """The claims and the cells, with a link to each rule."""
    drawn = made.at(f"pictures.html#picture-{figure.name}")
    text = on_one_line(drawn.text)
    links = {element.attributes["href"] for element in made.page("pictures.html").all("a")}

    assert figure.title in text
    assert figure.summary in text
    for claim in figure.claims:
        assert f"{claim.text} {' '.join(claim.rules)}" in text
    for row in figure.table.rows if figure.table else ():
        for cell in row:
            assert " ".join([cell.text, *cell.rules]) in text
    assert {address(rule) for rule in figure.rules} <= links


def test_a_drawing_has_a_text_alternative(made: Site) -> None:
    """A name and a description, which the drawing refers to."""
    drawings = made.page("pictures.html").all("svg")
    names = {figure.name: figure for figure in FIGURES if figure.drawing}

    assert len(drawings) == len(names)
    for drawing in drawings:
        assert drawing.attributes["role"] == "img"
        title, summary = (drawing.attributes["aria-labelledby"] or "").split()
        name = title.removesuffix("-title")
        assert made.at(f"pictures.html#{title}").text == names[name].title
        assert made.at(f"pictures.html#{summary}").text == names[name].summary


def test_the_marks_of_a_drawing_are_those_of_its_claims(figure: Figure) -> None:
    """Each mark once, from the first claim on, without a gap."""
    marks = re.findall(r'class="in-disk [^>]*>([^<]+)<', str(figure.drawing or ""))
    known = [chr(65 + n) if figure.lettered else str(n + 1) for n in range(len(figure.claims))]

    assert sorted(marks, key=lambda mark: (len(mark), mark)) == known[: len(marks)]
    assert bool(marks) == (figure.drawing is not None)


def test_a_drawing_leaves_its_colors_to_the_theme(made: Site, figure: Figure) -> None:
    """So light, dark and print need nothing else; each class is styled."""
    text = str(figure.drawing or "")
    classes = {name for names in re.findall(r'class="([^"]*)"', text) for name in names.split()} - {"in-disk"}
    styled = set(re.findall(r"\.picture \.([\w-]+)", made.files["pictures.css"]))

    assert re.findall(r'\b(?:fill|stroke|style|color)="', text) == []
    assert classes - {"picture", "ring"} <= styled


def test_a_picture_is_on_the_pages_of_its_areas(made: Site, figure: Figure) -> None:
    """And on no other area's."""
    anchor = f"picture-{figure.name}"
    pages = {name for name in made.pages if name.startswith("rules/") and anchor in made.anchors(name)}

    assert figure.areas
    assert set(figure.areas) <= order().areas.keys()
    assert pages == {f"rules/{area}.html" for area in figure.areas}
    assert all(figure in figures_of(area) for area in figure.areas)
