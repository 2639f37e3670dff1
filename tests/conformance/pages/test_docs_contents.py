"""`loopspec docs`: what the specification, the kit and the results consist of is on the site, with all of its text."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from functools import cache, partial

import pytest

from loopspec.cli.core import commands, parser
from loopspec.contract.capabilities import capabilities_of_role
from loopspec.contract.dialects import dialect, dialect_names, instruction_axes
from loopspec.pages import address, features
from loopspec.protocol.schema import schema, schema_text
from loopspec.specification.ledger import JUDGED, NORMATIVE, ledger
from loopspec_docs.manual import manual
from loopspec_docs.site.dialects import answers
from loopspec_docs.site.examples import programs
from loopspec_docs.site.links import slug
from loopspec_docs.site.messages import methods
from loopspec_docs.site.results import implementations
from loopspec_known.results import results

from .conftest import Site, on_one_line
from .site_texts import EXAMPLES, SOURCES, Texts


@pytest.mark.parametrize("source", SOURCES)
def test_everything_is_at_its_address_with_its_text(made: Site, source: Callable[[], Texts]) -> None:
    """Rules, documents, phrases, results and so on."""
    missing, count, shown = [], 0, cache(partial(_shown, made))
    for place, texts in source():
        for text in filter(None, map(on_one_line, texts)):
            count += 1
            missing += [] if text in shown(place) else [(place, text)]

    assert missing == []
    assert count > 10


def _shown(made: Site, place: str) -> str:
    """The text of a page, of an element, of the article of a rule, or of the section below a heading."""
    kind, _, name = place.rpartition(" ")
    if kind == "article":
        return on_one_line(made.article_of(name).text)
    element = made.at(name) if "#" in name else made.page(name).all("main")[0]
    if kind == "section":
        assert element.within
        element = element.within
    return on_one_line(element.text)


def test_a_rule_is_there_with_all_of_its_text(made: Site) -> None:
    """Its sentence and its Gherkin: backgrounds, titles, steps, cells and docstrings, in their order."""
    for feature in features():
        for written in feature.rules:
            texts = [written.sentence, *(step.text for step in (*feature.background, *written.background))]
            for scenario in written.scenarios:
                texts.append(scenario.title)
                for step in scenario.steps:
                    texts += [step.keyword, step.text, *(cell for row in step.table for cell in row)]
                    texts += [step.docstring] if step.docstring else []
                for rows in scenario.examples:
                    texts += [rows.name, *(cell for row in rows.table for cell in row)]
            rest = made.article_of(written.ids[0]).text
            for text in filter(None, texts):
                _, found, rest = rest.partition(text)
                assert found == text, (written.ids, text)


def test_the_start_page_counts_the_rules(made: Site) -> None:
    """By what judges them, and by their basis."""
    text = made.main("index.html")
    found = list(ledger().rules.values())
    with_examples = [row for row in found if row.status == "scenario"]
    judged = [row for row in found if row.status in JUDGED]

    assert f"in {len(found)} rules." in text
    assert f"{len(with_examples)} rules have examples, and {len(judged) - len(with_examples)} are judged" in text
    assert f"{sum(row.basis in NORMATIVE for row in judged)} of these rules are normative" in text
    assert f"{len(found) - len(judged)} rules are not judged" in text
    for basis in ("documented", "derived", "clarified"):
        assert f"{basis} {sum(row.basis == basis for row in judged)} rules" in text


def test_a_section_of_a_document_lists_its_rules(made: Site) -> None:
    """And no others."""
    known = set(ledger().rules)
    for key, sections in ledger().sections.items():
        blocks = made.page(f"documents/{key}.html").all("section", class_="of-section")
        for title, block in zip(sections, blocks, strict=False):
            assert set(block.text.split()) & known == {
                rule
                for rule, row in ledger().rules.items()
                if (row.document == key and title in row.sections) or title in row.also.get(key, ())
            }


def test_every_rule_has_its_verdict_on_every_implementation(made: Site) -> None:
    """In the row of the rule; a known failure leads to its reason. The sums are those of README."""
    rows: dict[str, list[str | None]] = {}
    for cell in made.page("results.html").all("td"):
        if cell.within and "data-state" in cell.attributes:
            rows.setdefault(cell.within.text.split()[0], []).append(cell.attributes["data-state"])
    every = results().implementations
    judged = {rule for one in every for found in one.verdicts.values() for rule in found}
    assert rows == {rule: [one.verdict(rule) for one in every] for rule in judged}
    assert {link for link in made.links("results.html") if "#known-" in link} == {
        f"results/{slug(one.adapter.rpartition('/')[2])}.html#known-{rule}"
        for one in every
        for rule in one.verdicts.get("known", ())
    }

    lines = [line.strip("|").split("|") for line in results().as_markdown().splitlines() if line.startswith("|")]
    (_, _, *documents, _, _), _, _, *of_each = ([cell.strip() for cell in line] for line in lines)
    for document, *cells in zip(documents, *(cells for _, _, *cells in of_each), strict=False):
        shown = " ".join("–not judged" if cell == "– · –" else cell for cell in cells)
        assert f"{document} {shown}" in made.main("results.html")


def test_every_capability_of_an_agent_is_declared_or_not(made: Site) -> None:
    """A row for each capability, and a column for each adapter with the role."""
    cells = [cell for cell in made.page("results.html").all("td") if "data-declared" in cell.attributes]
    columns = [one for one in implementations(()) if one.undeclared is not None]

    assert [cell.attributes["data-declared"] for cell in cells] == [
        "no" if name in one.left_out else "yes" for name in capabilities_of_role("agent") for one in columns
    ]


def test_every_dialect_has_its_value_on_every_axis(made: Site) -> None:
    """A value leads to its rule, and a letter to the source on the page of the dialect. A mark shows a difference."""
    page = "dialects.html"
    cells = {
        (cell.attributes["data-axis"], cell.attributes["data-dialect"]): cell
        for cell in made.page(page).all("td")
        if "data-axis" in cell.attributes
    }
    assert cells.keys() == {(axis, name) for axis in instruction_axes() for name in dialect_names()}
    for (key, name), cell in cells.items():
        choice = dialect(name or "").axes.get(key or "")
        words = on_one_line(cell.text)
        if choice is None:
            assert words == "–not concerned"
            continue
        basis = "documented" if choice.documented else "measured" if choice.measured else "unknown"
        shown = "?unknown" if choice.unknown else f"{choice.judged} {basis[0].upper()}{basis}"
        assert words == shown + (f" ≠the tool instead: {choice.observed}" if choice.observed else "")
        values = instruction_axes()[key or ""].values
        of_values = {address(values[each].rule) for each in (choice.judged, choice.observed) if each in values}
        assert {*made.links(page, cell)} == {f"dialects/{name}.html#{key}", *of_values}


def test_every_tool_has_its_answer_to_every_question_about_touch_and_skills(made: Site) -> None:
    """A row for each question, and a cell for each tool with its value, the source and the difference."""
    cells = {
        (cell.attributes["data-question"], cell.attributes["data-tool"]): on_one_line(cell.text)
        for cell in made.page("dialects.html").all("td")
        if "data-question" in cell.attributes
    }
    asked = {
        (f"{place}-{name}", tool): known.axes.get(name)
        for place, (questions, tools) in answers().items()
        for name in questions
        for tool, known in tools.items()
    }
    assert cells.keys() == asked.keys()
    for key, choice in asked.items():
        shown = choice.judged if choice and not choice.unknown else "?unknown" if choice else "–not concerned"
        instead = f"the tool instead: {choice.observed}" if choice and choice.observed else ""
        assert cells[key].startswith(shown), key
        assert cells[key].endswith(instead), key


def test_every_command_has_an_example_that_the_parser_takes() -> None:
    """And the examples are of commands that exist."""
    for command in manual().commands:
        assert command.examples, command.name
        for line in (one.line for one in command.examples):
            program, *words = shlex.split(line)
            assert (program, " ".join(words[: len(command.name.split())])) == ("loopspec", command.name)
            assert parser(words).parse_args(words).parser.prog == f"loopspec {command.name}"
    found = {one.line for command in manual().commands for one in command.examples}
    assert found == {line for command in commands() for line in command.examples}


def test_the_schema_is_a_file_of_the_site(made: Site) -> None:
    """As `loopspec protocol` prints it. The order of the methods is that of the schema."""
    assert made.files["schema.json"] == schema_text() + "\n"
    assert [method.name for method in methods()] == list(schema()["methods"])


def test_every_program_has_its_place() -> None:
    """Each example in the order of its README."""
    readme = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    imported = {module.name for program in programs() for module in program.imports}

    assert [one.name for one in programs()] == re.findall(r"^## \d+\. .+\n\n\[(\w+)\.py\]", readme, re.MULTILINE)
    assert {one.name for one in programs()} | imported == {path.stem for path in EXAMPLES.glob("*.py")}
    assert all(f"```console\n{one.session}```" in readme for one in programs())
