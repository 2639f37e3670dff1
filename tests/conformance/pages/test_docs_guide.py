"""The site's pages for authors of adapters: navigation, guide, command line, protocol and topics."""

from __future__ import annotations

import argparse
import importlib
import json
import re
import shlex
from collections.abc import Iterator

import pytest
from markupsafe import Markup

from loopspec.cli.core import commands as declared
from loopspec.cli.core import parser
from loopspec.pages import features, rules
from loopspec.protocol.schema import schema, schema_text
from loopspec.specification.order import order
from loopspec_docs.manual import EXIT_CODES, manual
from loopspec_docs.site.api import api
from loopspec_docs.site.guide import PAGES, guide
from loopspec_docs.site.links import slug
from loopspec_docs.site.markdown import written
from loopspec_docs.site.messages import methods, types
from loopspec_docs.site.navigation import GROUPS

from .conftest import Site, on_one_line

# Pages that the navigation does not name: each is reached from a page that it names.
BELOW = {"search.html"}
FOLDERS = {"rules": "topics.html", "documents": "topics.html", "mutants": "mutants.html", "names": "names.html"}
FOLDERS |= {"results": "results.html", "examples": "examples.html", "dialects": "dialects.html"}


def leaves(whole: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """The parser of each command that can be typed."""
    below = [action for action in whole._actions if isinstance(action, argparse._SubParsersAction)]
    if not below:
        yield whole
    for action in below:
        for one in action.choices.values():
            yield from leaves(one)


def test_the_navigation_has_every_page_once_in_six_groups(made: Site) -> None:
    """Except for pages below another one, in a folder."""
    named = [page for group in GROUPS for page in group.pages]
    top = {name for name in made.pages if name.partition("/")[0] not in FOLDERS}

    assert len(GROUPS) == 6
    assert len(named) == len(set(named))
    assert set(named) == top - BELOW


def test_every_page_marks_its_place_in_the_navigation(made: Site) -> None:
    """One page is the current one, or the one above; and one group."""
    for name in made.pages:
        marked = [e for e in made.page(name).all("a") if e.attributes.get("aria-current")]
        tabs = [e for e in marked if e.attributes.get("class") == "tab"]
        pages = [e for e in marked if e not in tabs]
        if name in BELOW:
            assert marked == []
            continue
        folder = name.partition("/")[0]
        above = FOLDERS.get(folder)
        (group,) = (group for group in GROUPS if (above or name) in group.pages)
        assert [e.text for e in tabs] == [group.name]
        assert [(e.text, e.attributes["aria-current"]) for e in pages] == [
            (group.pages[above or name], "true" if above else "page")
        ]


def test_a_decision_says_on_what_its_rule_rests(made: Site) -> None:
    """In words as well as by a class: a choice of ours for a clarified rule, else a note."""
    labels = {"clarified": "Our choice", "documented": "Note on a documented rule", "derived": "Note on a derived rule"}
    labels["by-dialect"] = "By dialect"
    for name in ("decisions.html", *(f"rules/{area}.html" for area in order().areas)):
        boxes = [e for e in made.page(name).all("div") if (e.attributes.get("class") or "").startswith("decision ")]
        for box in boxes:
            basis = (box.attributes["class"] or "").removeprefix("decision ")
            assert on_one_line(box.text).startswith(labels[basis])
    decided = [rule for rule in rules().values() if rule.decision]
    assert len(boxes_of(made, "decisions.html")) == len(decided)
    assert {rule.basis for rule in decided} | {"by-dialect"} == set(labels)


def boxes_of(made: Site, name: str) -> list[str]:
    """The classes of the decisions on a page."""
    classes = [e.attributes.get("class") or "" for e in made.page(name).all("div")]
    return [value for value in classes if value.startswith("decision ")]


def test_the_command_line_page_has_every_option_of_every_command(made: Site) -> None:
    """With the help text, the choices and the default, as the parser has them."""
    every = list(leaves(parser()))

    assert len(every) > 15
    for one in every:
        article = made.at(f"command-line.html#{slug(one.prog)}")
        text = on_one_line(article.text)
        rows = [on_one_line(row.text) for row in made.page("command-line.html").all("tr") if is_in(row, article)]
        assert on_one_line(one.description or "-") in text
        for action in one._actions:
            names = action.option_strings or [str(action.metavar or action.dest.upper())]
            words = {row: re.findall(r"[^\s,\[\]]+", row) for row in rows}
            (row,) = (row for row in rows if words[row][0] in names and {*names} <= {*words[row]})
            assert on_one_line(action.help or "-") in row
            assert all(str(choice) in row for choice in action.choices or ())
            if action.default not in (None, False, "", [], argparse.SUPPRESS):
                assert row.endswith(str(action.default))


def is_in(inner: object, outer: object) -> bool:
    """Whether an element is within another one."""
    while inner is not None and inner is not outer:
        inner = getattr(inner, "within", None)
    return inner is outer


def test_every_command_has_an_example_that_the_parser_takes(made: Site) -> None:
    """And the examples are of commands that exist."""
    for command in manual().commands:
        assert command.examples, command.name
        for line, says in ((one.line, one.says) for one in command.examples):
            program, *words = shlex.split(line)
            assert (program, " ".join(words[: len(command.name.split())])) == ("loopspec", command.name)
            assert parser(words).parse_args(words).parser.prog == f"loopspec {command.name}"
            assert f"{line} {on_one_line(says)}" in made.main("command-line.html")
    found = {one.line for command in manual().commands for one in command.examples}
    assert found == {line for command in declared() for line in command.examples}


def test_the_command_line_page_has_the_exit_codes(made: Site) -> None:
    """Those that README and the guide have."""
    text = made.main("command-line.html").partition("Exit codes")[2]

    assert all(f"{code} {on_one_line(says)}" in text for code, says in EXIT_CODES.items())


def test_every_method_has_its_direction_its_params_and_its_result(made: Site) -> None:
    """With each field of both, its default, and what says so in the schema."""
    said = schema()
    assert [method.name for method in methods()] == list(said["methods"])
    for method in methods():
        text = on_one_line(made.at(f"messages.html#{slug(method.name)}").text)
        row = said["methods"][method.name]
        sender = {"harness": "harness → adapter", "adapter": "adapter → harness", "both": "harness ↔ adapter"}
        assert f"{method.name} {sender[row['caller']]} {row['kind']}" in text
        assert ("within a call of the adapter" in text) == row["nested"]
        assert on_one_line(row["meaning"]) in text
        assert all(role in text for role in row["roles"])
        assert ("Result: " in text) == ("result" in row)
        for side in ("params", "result"):
            of_side = said["$defs"][row[side]["$ref"].rpartition("/")[2]] if side in row else {}
            assert all(f" {field} " in text for field in of_side.get("properties", ()))


def test_every_type_has_its_description_and_its_fields(made: Site) -> None:
    """In the order of the schema; a required field says so."""
    defs = schema()["$defs"]
    for one in types():
        component = defs[one.name]
        text = on_one_line(made.at(f"messages.html#{one.name}").text)
        assert on_one_line(component["description"]) in text
        for name, field in component.get("properties", {}).items():
            tail = text.partition(f" {name} ")[2]
            wanted = "required" if name in component.get("required", ()) else None
            assert tail
            assert wanted is None or wanted in tail
            assert "default" not in field or json.dumps(field["default"], ensure_ascii=False) in tail
    assert made.files["schema.json"] == schema_text() + "\n"


@pytest.mark.parametrize("name", PAGES)
def test_a_page_of_the_guide_is_on_the_site_with_all_of_its_text(name: str, made: Site) -> None:
    """Every word of it but the marks of Markdown, and a list of its sections."""
    page = guide()[name]
    shown = made.main(f"guide/{name}.html")

    assert shown.startswith(page.title)
    assert page.headings
    assert all(f"guide/{name}.html" and heading.title in shown for heading in page.headings)
    assert on_one_line(page.body.striptags().replace("&#39;", "'"))[:400] in shown


def test_markdown_becomes_html_and_html_stays_text() -> None:
    """Comments are left out; a link goes to a page of the site, to another site, or is text."""
    page = written(
        "# T `c`\n\n<!-- a\ncomment -->\n\n## A `b` c\n\n<b> [in](x/y.md#z) [out](https://x/) [gone](../w.py) *e*\n\n"
        "| a |\n| --- |\n| <i> |\n\n```sh\na <b\n```\n",
        {"f/x/y.md": "y.html"},
        "f",
    )

    assert page.title == "T `c`"
    assert [(heading.title, heading.anchor) for heading in page.headings] == [("A b c", "a-b-c")]
    assert page.body == Markup(
        '<h2 id="a-b-c">A <code>b</code> c</h2>\n'
        '<p>&lt;b&gt; <a href="y.html#z">in</a> <a href="https://x/">out</a> gone <em>e</em></p>\n'
        '<div class="scrolls" data-label="Table"><table class="cells words">\n'
        "<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>&lt;i&gt;</td>\n</tr>\n</tbody>\n</table></div>\n"
        '<div class="scrolls" data-label="Code: sh"><pre class="code">a &lt;b\n</pre></div>\n'
    )


@pytest.mark.parametrize(
    ("language", "marked"),
    [("python", "def"), ("sh", "# note"), ("toml", "known"), ("text", "")],
)
def test_code_of_a_page_has_colors_by_its_language(language: str, marked: str) -> None:
    """And its text is what was written."""
    source = "def f(): ...\n# note\n[known]\n"
    body = written(f"# T\n\n```{language}\n{source}```\n", {}).body

    found = [part.strip() for part in re.findall(r"<span class=\"\w+\">([^<]+)</span>", body)]
    assert marked in found if marked else not found
    assert f">{source}</pre>" in re.sub(r"</?span[^>]*>", "", body)


def test_the_topics_are_the_folders_with_every_feature(made: Site) -> None:
    """In reading order; each feature leads to its place on the page of an area."""
    text = made.main("topics.html")
    titles = {feature.file: feature.title for feature in features()}
    for folder in order().folders:
        _, found, text = text.partition(f"{folder.title} {folder.says} ")
        assert found
        for file in folder.files:
            _, found, text = text.partition(titles[file])
            assert found, file


@pytest.mark.parametrize("module", ["loopspec", "loopspec_adapting", "loopspec.testing"])
def test_the_api_page_has_every_public_name(made: Site, module: str) -> None:
    """With a docstring or a comment, apart from tables of the kit, and with the signatures of its methods."""
    (room,) = (room for room in api() if room.name == module)
    page = made.page("api.html")
    ids = {e.attributes.get("id") for e in page.all("article")}

    assert [one.name for one in room.names] == sorted(importlib.import_module(module).__all__)
    assert {one.address.removeprefix("api.html#") for one in room.names} <= ids
    assert {one.name for one in room.names if not one.says} <= {"CAPABILITIES", "ROLES"}


def test_the_api_page_has_the_signatures_that_an_adapter_needs(made: Site) -> None:
    """As they are written in the source: methods with their arguments, values with their fields."""
    text = made.page("api.html").all("main")[0].text

    for shown in (
        "read: Callable[[A], M] | None = None",
        "async def around_tool(",
        "takes_tools: bool = True",
        "def pick(self, names: Iterable[str]",
        "tools: Sequence[str] | None = None",
        "generated_scenes = 50",
    ):
        assert shown in text
