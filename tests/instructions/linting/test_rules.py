"""Each rule of `loopspec lint` finds its example, and a mutant of each rule does not."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import pytest

from loopspec.contract.dialects import dialect_names, instruction_axes
from loopspec_instructions.linting import Rule, known_tools, rules, sources_of
from loopspec_instructions.linting.contents import FileContent
from loopspec_instructions.linting.findings import Collector
from loopspec_instructions.linting.scope import Scope, last_names, names_of

from ...conformance.cli.in_process import said
from .judged import linted, wrong

RULES = list(rules().values())


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_finds_its_example_and_not_the_twin(rule: Rule) -> None:
    """The example has one finding of the rule, at the path and the line named; the twin has none."""
    assert wrong(rule) == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_linter_without_a_rule_fails_its_example(rule: Rule) -> None:
    """No other rule has the same finding."""
    add = Collector.add

    def without(self: Collector, name: str, *args: Any, **values: Any) -> None:  # Any: those of the method
        if name != rule.id:
            add(self, name, *args, **values)

    with patch.object(Collector, "add", without):
        assert wrong(rule) != []


def _always(self: object, *args: object, **values: object) -> bool:
    return True


def _never(self: object, *args: object, **values: object) -> bool:
    return False


def _everywhere(self: Collector, *args: Any, **values: Any) -> None:  # Any: those of the method
    """A collector that forgets lines."""
    values["line"] = 1
    _add(self, *args, **values)


_add = Collector.add

# Wrong conditions of checks, each with the rules whose examples or twins show the mistake.
MUTANTS: dict[str, tuple[str, object, set[str]]] = {
    "any hidden file is lost": ("noted._Notes._loses_text", _always, {"LINT-11"}),
    "no hidden file is lost": ("noted._Notes._loses_text", _never, {"LINT-11", "LINT-12"}),
    "every place is in line 1": ("contents.FileContent.line_at", lambda self, at: 1, {"LINT-09", "LINT-18"}),
    "every line is a comment": ("contents.FileContent.is_comment", _always, {"LINT-06"}),
    "everything is inside": ("scope.Scope.is_inside", _always, {"LINT-21", "LINT-27"}),
    "nothing is inside": ("scope.Scope.is_inside", _never, {"LINT-27", "LINT-01"}),
    "nothing is a file": ("scope.Scope.is_file", _never, {"LINT-04", "LINT-05", "LINT-07", "LINT-29"}),
    "lines are forgotten": ("findings.Collector.add", _everywhere, {"LINT-01", "LINT-28"}),
    "no tool reads a name": ("loaded.reads_name", _never, {"LINT-30"}),
    "every .git is a root": ("entries.is_root", lambda *args: True, {"LINT-26"}),
    "no name is alike": ("entries._right_name", lambda tool, name: "", {"LINT-25"}),
    "any name is wrong": ("entries._right_name", lambda tool, name: "X.md", {"LINT-25"}),
    "every file refers to the other": ("scope.Scope.refers", _always, {"LINT-11"}),
    "no file refers to another": ("scope.Scope.refers", _never, {"LINT-11"}),
    "every import is below the start": ("loaded.is_inside", _always, {"LINT-32"}),
    "every import is outside the start": ("loaded.is_inside", _never, {"LINT-32"}),
    "no text is a path": ("contents.FileContent.only_path", "", {"LINT-33"}),
    "no spelling is alike": ("scope.Scope.spelled", lambda self, path: "", {"LINT-34"}),
    "every missing file is spelled wrongly": ("scope.Scope.spelled", lambda self, path: path, {"LINT-01"}),
    "Git tracks everything": ("repository.Choice.is_tracked", _always, {"LINT-35"}),
    "Git tracks nothing": ("repository.Choice.is_tracked", _never, {"LINT-35"}),
    "every link leads somewhere": ("references.joined", lambda folder, path: "/", {"LINT-36"}),
    "every link leads nowhere": ("references.joined", lambda folder, path: "/missing", {"LINT-36"}),
    "there is no script": ("references._scripts", lambda scope: set(), {"LINT-37"}),
    "there is no target": ("references._targets", lambda scope: set(), {"LINT-37"}),
    "there is no package": ("references._scripts", lambda scope: None, {"LINT-37"}),
    "no file can be read": ("scope.Scope.is_readable", _never, {"LINT-12", "LINT-13"}),
}


@pytest.mark.parametrize(("place", "mutant", "expected"), MUTANTS.values(), ids=MUTANTS)
def test_a_wrong_condition_turns_an_example_red(place: str, mutant: object, expected: set[str]) -> None:
    """Each of the rules named has an example or a twin that shows the mistake."""
    with patch(f"loopspec_instructions.linting.{place}", mutant):
        red = {rule.id for rule in RULES if rule.id in expected and wrong(rule)}

    assert red == expected


@pytest.mark.parametrize("name", ["is_utf_16", "has_mark", "is_blank"])
def test_a_wrong_property_of_a_content_turns_an_example_red(name: str) -> None:
    """A linter that sees the property in every file has a finding in a twin."""
    rule = {"is_utf_16": "LINT-19", "has_mark": "LINT-20", "is_blank": "LINT-13"}[name]
    init = FileContent.__init__

    def wrongly(self: FileContent, data: bytes) -> None:
        init(self, data)
        setattr(self, name, True)

    with patch.object(FileContent, "__init__", wrongly):
        assert wrong(rules()[rule]) != []


def test_a_rule_is_written_for_people() -> None:
    """Each text is a sentence or a part of one, ids are in order, and titles are unique."""
    assert list(rules()) == [f"LINT-{number:02}" for number in range(1, len(rules()) + 1)]
    assert len({rule.title for rule in RULES}) == len(RULES)
    for rule in RULES:
        assert rule.why.endswith("."), rule.id
        assert rule.fix.endswith("."), rule.id
        assert not rule.title.endswith("."), rule.id
        assert rule.example.twin or rule.example.without, rule.id


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_says_its_sources_with_a_day(rule: Rule, capsys: pytest.CaptureFixture[str]) -> None:
    """What was measured has a version of each tool, and a text has an address; `explain` prints each source."""
    sources = sources_of(rule)
    lines = said(capsys, "explain", rule.id)

    assert sources
    assert set(rule.axes) <= set(instruction_axes())
    assert [line.strip() for line in lines if line.startswith("  source: ")] == [f"source: {one}" for one in sources]
    for source in sources:
        assert source.verified or rule.id == "LINT-31"
        if source.kind == "measured":
            assert all(any(char.isdigit() for char in name) for name in source.names)


def test_a_day_is_known_for_each_dialect() -> None:
    """A rule that is about a tool says when the tool was measured last."""
    assert set(known_tools().verified) == set(dialect_names())


def test_the_table_of_names_has_names_that_the_tools_read() -> None:
    """Each name of a file that is instructions for certain means a tool, and each tool has a name."""
    for name, tools in known_tools().names.items():
        assert set(tools) <= set(dialect_names()), name
        assert all(name in names_of(tool) for tool in tools), name
    meant = {tool for tools in known_tools().names.values() for tool in tools}
    assert set(dialect_names()) - meant == {
        *("agents-md", "continue-cli", "copilot-cli", "deepagents", "kilo", "pydantic-ai-harness")
    }
    every = {name for tool in dialect_names() for name in last_names(tool)}
    assert every - {name.rpartition("/")[2] for name in known_tools().names} == {
        *("AGENT.md", "CODEX.md", "CONTEXT.md", "copilot-instructions.md")
    }


def test_a_finding_says_where_a_tool_differs_from_its_document() -> None:
    """Codex takes an empty override, and its document says that empty files are skipped."""
    (found,) = [one for one in linted(rules()["LINT-12"]).findings if one.rule == "LINT-12"]

    (difference,) = found.differences
    assert difference.startswith("Codex CLI 0.169.0 differs from its document: empty-file is hides")
    assert "https://developers.openai.com/codex/" in difference


def test_nothing_is_found_for_a_tool_whose_behavior_is_not_known() -> None:
    """The text of agents.md does not say what an empty file does."""
    rule = rules()["LINT-13"]
    collector = Collector(str)

    collector.add(rule.id, "CLAUDE.md", tools=["agents-md"], axes=("empty-file",))
    assert collector.findings() == ()
    collector.add(rule.id, "CLAUDE.md", tools=["agents-md", "codex"], axes=("empty-file",))
    assert [one.tools for one in collector.findings()] == [("codex",)]


def test_a_scope_has_names_for_every_tool() -> None:
    """A tool without names would have no findings."""
    assert [tool for tool in dialect_names() if not names_of(tool)] == []
    assert Scope.short.__doc__
