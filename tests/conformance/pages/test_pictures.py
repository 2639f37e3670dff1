"""The pictures: each claim has its rules, and a drawing has a text alternative and colors of the theme alone."""

from __future__ import annotations

import re

import pytest

from loopspec.pages import rules
from loopspec.specification.order import order
from loopspec_docs.pictures import Figure, figures

from .conftest import Site

FIGURES = figures()
each_figure = pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.name)


@each_figure
def test_every_claim_and_every_row_names_rules_with_examples(figure: Figure) -> None:
    """None is merged into another rule, withdrawn, or without a scenario. A table may repeat a drawing."""
    assert figure.rules
    assert {rule: rules()[rule].status for rule in figure.rules} == dict.fromkeys(figure.rules, "scenario")
    assert [claim.label for claim in figure.claims if not claim.rules] == []
    rows = figure.table.rows if figure.table else ()
    assert rows or figure.drawing
    assert figure.drawing or [row[0].text for row in rows if not any(cell.rules for cell in row)] == []
    assert {len(row) for row in rows} <= {len(figure.table.columns) if figure.table else 0}


@each_figure
def test_the_marks_of_a_drawing_are_those_of_its_claims(figure: Figure) -> None:
    """Each mark once, from the first claim on, without a gap."""
    marks = re.findall(r'class="in-disk [^>]*>([^<]+)<', str(figure.drawing or ""))
    known = [chr(65 + n) if figure.lettered else str(n + 1) for n in range(len(figure.claims))]

    assert sorted(marks, key=lambda mark: (len(mark), mark)) == known[: len(marks)]
    assert bool(marks) == (figure.drawing is not None)


def test_a_drawing_has_a_text_alternative(made: Site) -> None:
    """A name and a description, which the drawing refers to."""
    drawings = {drawing.attributes["aria-labelledby"] for drawing in made.page("pictures.html").all("svg", role="img")}

    assert drawings == {f"{figure.name}-title {figure.name}-summary" for figure in FIGURES if figure.drawing}
    for figure in FIGURES:
        if figure.drawing:
            assert made.at(f"pictures.html#{figure.name}-title").text == figure.title
            assert made.at(f"pictures.html#{figure.name}-summary").text == figure.summary


@each_figure
def test_a_drawing_leaves_its_colors_to_the_theme(made: Site, figure: Figure) -> None:
    """So light, dark and print need nothing else; each class is styled."""
    text = str(figure.drawing or "")
    classes = {name for names in re.findall(r'class="([^"]*)"', text) for name in names.split()}
    styled = set(re.findall(r"\.picture \.([\w-]+)", made.files["pictures.css"]))

    assert re.findall(r'\b(?:fill|stroke|style|color)="', text) == []
    assert classes - {"picture", "ring", "in-disk"} <= styled


@each_figure
def test_a_picture_is_on_the_pages_of_its_areas_alone(made: Site, figure: Figure) -> None:
    """Each area of a picture is one of the specification."""
    pages = {name for name in made.pages if f"picture-{figure.name}" in made.anchors(name) and "rules/" in name}

    assert set(figure.areas) <= order().areas.keys()
    assert pages == {f"rules/{area}.html" for area in figure.areas} != set()
