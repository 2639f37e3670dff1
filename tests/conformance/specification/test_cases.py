"""Features are compiled to cases, or rejected."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from syrupy.assertion import SnapshotAssertion

from loopspec.contract.agents import Config
from loopspec.contract.faults import SuiteError
from loopspec.contract.scene import File
from loopspec.contract.specification import digest
from loopspec.specification.cases import Case, Rule, Step
from loopspec.specification.compiling import compile_feature
from loopspec.specification.features import compiled
from loopspec.specification.store import cases_of

HEAD = "Feature: A feature\n"
RULE = "  @SMALL-01 @documented\n  Rule: A sentence\n"
STEPS = "When the AgentsMD middleware is created\nThen creating the middleware succeeds\n"


def cases(text: str) -> list[Case]:
    """The cases of a feature."""
    return list(cases_of(compile_feature("small.feature", text.encode())))


def test_a_scenario_becomes_a_case() -> None:
    """A case has a scene, checks, a place, and the roles that can perform it."""
    text = """\
    Feature: A feature

      Background:
        Given a byte limit of 7

      @SMALL-01 @SMALL-02 @derived
      Rule: A sentence
        With a
        description.

        Background:
          Given the file "/p/a.md" containing "A."

        Scenario: A title
          Given the configured files "/p/a.md"
          When the instructions are loaded
          Then no warning is given
          And "/p/a.md" is loaded
    """

    (case,) = cases(dedent(text))

    rule = Rule(
        ids=("SMALL-01", "SMALL-02"),
        basis="derived",
        sentence="A sentence",
        feature="A feature",
        file="small.feature",
        line=7,
    )
    assert (case.id, case.rule, case.title, case.template, case.row, case.file, case.line) == (
        "SMALL-01 :: A title",
        rule,
        "A title",
        "A title",
        (),
        "small.feature",
        14,
    )
    assert case.steps == (
        Step("given", "a byte limit of 7", 4),
        Step("given", 'the file "/p/a.md" containing "A."', 12),
        Step("given", 'the configured files "/p/a.md"', 15),
        Step("when", "the instructions are loaded", 16),
        Step("then", "no warning is given", 17),
        Step("then", '"/p/a.md" is loaded', 18),
    )
    assert [step.line for step, _ in case.checks] == [17, 18]
    assert (case.scene.act, case.scene.files) == ("load", {"/p/a.md": File(text="A.")})
    assert case.scene.instructions == Config(files=("/p/a.md",), max_bytes=7)
    assert (case.roles, case.needs) == (("loader", "middleware", "agent"), frozenset({"agentsmd"}))


def test_each_row_of_an_outline_becomes_a_case() -> None:
    """Cases of an outline share a template; a line break in a title is escaped."""
    text = """\
          Scenario Outline: A limit of <limit><more>
            Given a byte limit of <limit>
            When the AgentsMD middleware is created
            Then creating the middleware fails

            Examples: one
              | limit | more |
              | -1    |      |

            Examples: two
              | limit | more  |
              | -2    | x\\ny |
    """

    found = cases(HEAD + RULE + text)

    assert [(case.id, case.template, case.row) for case in found] == [
        ("SMALL-01 :: A limit of -1", "A limit of <limit><more>", ("-1", "")),
        ("SMALL-01 :: A limit of -2x\\ny", "A limit of <limit><more>", ("-2", "x\ny")),
    ]
    assert [case.scene.instructions.max_bytes for case in found if case.scene.instructions] == [-1, -2]


REJECTED = [
    f"Scenario: Alone\n{STEPS}",
    f"@documented\nRule: A sentence\nScenario: A\n{STEPS}",
    f"@SMALL-01\nRule: A sentence\nScenario: A\n{STEPS}",
    f"@SMALL-01 @derived @clarified\nRule: A sentence\nScenario: A\n{STEPS}",
    f"{RULE}Scenario: A\n{STEPS}{RULE.replace('1', '2')}Scenario: A\n{STEPS}",
    f"{RULE}Scenario: A\nWhen the AgentsMD middleware is created",
    f"{RULE}Scenario: A\nGiven nonsense\n{STEPS}",
    f"{RULE}Scenario: A\n{STEPS}And nonsense",
    f"{RULE}Scenario: A\n{STEPS}When the agent runs",
    f"{RULE}Scenario: A\nThen creating the middleware succeeds\n{STEPS}",
]


def test_a_scenario_that_cannot_be_judged_is_rejected_by_its_line(snapshot: SnapshotAssertion) -> None:
    """A scenario outside a Rule, or without a check, is an error."""

    def sentence(text: str) -> str:
        with pytest.raises(SuiteError) as error:
            cases(HEAD + text)
        return str(error.value)

    assert [sentence(text) for text in REJECTED] == snapshot


def test_the_digest_identifies_the_features(tmp_path: Path) -> None:
    """Names and contents of the files change the digest."""
    digests = [digest(tmp_path)]
    for name, text in (("a.feature", "A"), ("a.feature", "B"), ("b.feature", "A"), ("b.feature", "")):
        (tmp_path / name).write_text(text, encoding="utf-8")
        digests.append(digest(tmp_path))

    assert len(set(digests)) == len(digests)
    assert digest() == digest()


def test_the_features_are_compiled_in_the_order_of_files_and_lines() -> None:
    """Features are compiled once."""
    places = [(case.file, case.line) for case in compiled()]

    assert places == sorted(places)
    assert compiled() is compiled()


def test_the_tags_of_a_scenario_and_of_its_rule_are_the_postures_of_its_cases() -> None:
    """A tag of an axis is no id of the rule. A case without such a tag presupposes nothing."""
    one, two, three = (f"Scenario: {title}\n{STEPS}" for title in ("One", "Two", "Three"))
    found = cases(
        f"{HEAD}@SMALL-01 @documented @axis:edits-last=request\nRule: A sentence\n@axis:after-order\n{one}{two}"
        f"@SMALL-02 @documented\nRule: Another sentence\n{three}"
    )

    assert [case.rule.ids for case in found] == [("SMALL-01",), ("SMALL-01",), ("SMALL-02",)]
    assert [case.postures for case in found] == [
        {"edits-last": "request", "after-order": "registered"},
        {"edits-last": "request"},
        {},
    ]


def outline(rule: str, scenario: str, *rows: str) -> list[Case]:
    """The cases of an outline whose rule and scenario have these tags, from the rows of its examples."""
    table = "\n".join(f"|{row}|" for row in rows)
    title = "Scenario Outline: A limit of <limit>"
    return cases(
        f"{HEAD}@SMALL-01 @documented {rule}\nRule: A sentence\n{scenario}\n{title}\n{STEPS}Examples:\n{table}"
    )


@pytest.mark.parametrize(
    ("rule", "scenario", "rows", "postures"),
    [
        pytest.param(
            "@axis:limit-ends=<ends>",
            "@axis:limit-default=<limit>",
            ["ends|limit", "error|10", "last-answer|40"],
            [{"limit-ends": "error", "limit-default": "10"}, {"limit-ends": "last-answer", "limit-default": "40"}],
            id="of the rule and of the scenario",
        ),
        pytest.param(
            "",
            "@axis:limit-ends @axis:limit-default=<limit>",
            ["mode|limit", "synchronous|10", "streaming|"],
            [{"limit-ends": "error", "limit-default": "10"}, {"limit-ends": "error"}],
            id="a row with an empty cell presupposes no value",
        ),
    ],
)
def test_a_tag_can_have_the_value_in_a_column(
    rule: str, scenario: str, rows: list[str], postures: list[dict[str, str]]
) -> None:
    """Each row presupposes its own value; the other tags of the outline apply to each row."""
    assert [case.postures for case in outline(rule, scenario, *rows)] == postures


@pytest.mark.parametrize(
    ("tag", "sentence"),
    [
        ("@axis:limit-default=<limit>", "the axis limit-default has no value '11'"),
        ("@axis:limit-default=", "the axis limit-default has no value ''"),
        ("@axis:after-orders", r"^small\.feature:5: there is no axis 'after-orders': did you mean 'after-order'\?$"),
    ],
)
def test_a_tag_with_an_unknown_axis_or_value_is_rejected(tag: str, sentence: str) -> None:
    """The sentence has the place of the scenario, and the value of the row or a similar axis."""
    with pytest.raises(SuiteError, match=sentence):
        outline("", tag, "limit", "11")
