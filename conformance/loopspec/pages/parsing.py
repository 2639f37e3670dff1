"""Parses a feature file into what is written in it."""

from __future__ import annotations

from typing import Any

from gherkin.parser import Parser

from .written import Cells, Feature, Rows, Scenario, WrittenRule, WrittenStep


def parse(text: str, file: str) -> Feature:
    """Parse one feature file. Raises gherkin's error for the first mistake in it."""
    parser = Parser()
    parser.stop_at_first_error = True  # it takes two thirds of the time
    node: Any = parser.parse(text)["feature"]  # Any: gherkin's JSON-like tree, here and below
    background: tuple[WrittenStep, ...] = ()
    rules = []
    for child in node["children"]:
        if "background" in child:
            background = _steps(child["background"])
        elif "rule" in child:
            rules.append(_rule(child["rule"]))
    return Feature(file, node["name"], _paragraphs(node), background, tuple(rules))


def _rule(node: Any) -> WrittenRule:
    tags = tuple(tag["name"].lstrip("@") for tag in node["tags"])
    background: tuple[WrittenStep, ...] = ()
    scenarios = []
    for child in node["children"]:
        if "background" in child:
            background = _steps(child["background"])
        else:
            scenarios.append(_scenario(child["scenario"]))
    return WrittenRule(
        ids=tuple(tag for tag in tags if tag.rpartition("-")[2].isdigit()),
        sentence=node["name"],
        prose=_paragraphs(node),
        line=node["location"]["line"],
        background=background,
        scenarios=tuple(scenarios),
    )


def _scenario(node: Any) -> Scenario:
    return Scenario(
        keyword=node["keyword"],
        title=node["name"],
        prose=_paragraphs(node),
        line=node["location"]["line"],
        steps=_steps(node),
        examples=tuple(
            Rows(rows["name"], tuple(_cells(row) for row in (rows["tableHeader"], *rows["tableBody"]) if row))
            for rows in node["examples"]
        ),
    )


def _steps(node: Any) -> tuple[WrittenStep, ...]:
    return tuple(
        WrittenStep(
            keyword=step["keyword"].strip(),
            text=step["text"],
            line=step["location"]["line"],
            table=tuple(_cells(row) for row in step["dataTable"]["rows"]) if "dataTable" in step else (),
            docstring=step["docString"]["content"] if "docString" in step else None,
        )
        for step in node["steps"]
    )


def _cells(row: Any) -> Cells:
    return tuple(cell["value"] for cell in row["cells"])


def _paragraphs(node: Any) -> tuple[str, ...]:
    """The prose below a keyword, each paragraph on one line."""
    text = "\n".join(line.strip() for line in node["description"].splitlines())
    return tuple(" ".join(part.split()) for part in text.split("\n\n") if part.strip())
