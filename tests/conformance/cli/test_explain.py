"""`loopspec explain RULE` teaches: the sentence, why, one example, and what others do; the rest with `--all`."""

from __future__ import annotations

import re
from statistics import median
from textwrap import wrap

import pytest

from loopspec.cli import main
from loopspec.specification.features import compiled
from loopspec.specification.ledger import ledger
from loopspec.specification.museum import museum

from ...sharing import share

COLUMNS = 80
Captured = pytest.CaptureFixture[str]


def said(capsys: Captured, *arguments: str) -> str:
    """What `loopspec explain` prints."""
    assert main(["explain", *arguments]) == 0
    return capsys.readouterr().out


def lines(text: str) -> int:
    """The number of lines on a terminal of eighty columns."""
    return sum(len(wrap(line, COLUMNS)) or 1 for line in text.rstrip().splitlines())


@pytest.mark.long
def test_a_rule_is_short(capsys: Captured) -> None:
    """Half of the rules take at most 45 lines, and no rule more than 120.

    Of the variants, which are alike, a share: each is counted in all cases.
    """
    of_variants = [rule for rule, row in ledger().rules.items() if row.status == "variant"]
    lengths = {rule: lines(said(capsys, rule)) for rule in ledger().rules.keys() - of_variants}
    lengths |= {rule: lines(said(capsys, rule)) for rule in share(of_variants, 5)}

    assert median(lengths.values()) <= 45
    assert {rule: length for rule, length in lengths.items() if length > 120} == {}


@pytest.mark.parametrize(
    ("rule", "names"),
    [
        ("INS-IMPORT-32", ["{name}"]),
        ("INS-ERROR-13", ["{first name}", "{second name}"]),
        ("BACKEND-32", ["{outside}", "{up}", "{up escaped}", "{up backslashes}", "{up doubled}"]),
        ("BACKEND-31", ["{outside}"]),
        ("LOOP-01", []),
    ],
)
def test_placeholders_are_explained_where_they_are_used(rule: str, names: list[str], capsys: Captured) -> None:
    """Of those that the prose of the feature explains, each that the printed example or another meaning has."""
    assert re.findall(r"(\{[^}]+\}) stands for", said(capsys, rule)) == names


@pytest.mark.parametrize("rule", ["LOOP-13", "MAXITER-09", "HOOK-WM-05"])
def test_a_rule_has_its_parts_in_order(rule: str, capsys: Captured) -> None:
    """What proves the rule, where it is from, and how others call it, are for those who ask for all."""
    row = ledger().rules[rule]
    (sentence,) = {case.rule.sentence for case in compiled() if rule in case.rule.ids}
    bug = next(bug for bug in museum() if rule in bug.caught_by)
    first = [sentence, f"decision: {row.decision}", f"a real bug: {bug.project}: {bug.happened} {bug.link}", "Scenario"]
    more = [f"must catch: {row.mutant}, a wrong implementation", f"where: {row.where}", " elsewhere: "]

    short, whole = said(capsys, rule), said(capsys, rule, "--all")

    assert row.decision
    places = [short.index(part) for part in [*first, " has ", "Some do otherwise: "]]
    assert places == sorted(places)
    assert [part for part in more if part in short or part not in whole] == []
    found = [len(re.findall(r"^ +Scenario", text, re.MULTILINE)) for text in (short, whole)]
    assert found[0] == 1 < found[1]
    assert f"`loopspec explain {rule} --all`: " in short


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        (
            "INS-WALK-08",
            "@axis:no-root=every-folder-above: the example judges only dialects with this value: Outside any",
        ),
        ("HOOK-AM-01", "@axis:after-order: the example judges only targets with the default posture: "),
    ],
)
def test_the_tag_of_an_example_is_explained(rule: str, line: str, capsys: Captured) -> None:
    """By the sentence of the value, below the example that has the tag."""
    text = said(capsys, rule, "--all")

    assert line in text
    assert [tag for tag in set(re.findall(r"@(axis:[^\s<:]+)(?=\s)", text)) if f"@{tag}: " not in text] == []


@pytest.mark.parametrize("rule", ["VARIANT-80", "INVARIANT-01", "GENERATED-01"])
def test_a_judged_rule_without_an_example_says_why(rule: str, capsys: Captured) -> None:
    """It is judged in the examples of other rules, or in scenes that no author has written."""
    assert "no example: " in said(capsys, rule)


@pytest.mark.parametrize("rule", ["AMD-ORDER-08", "AMD-DEPTH-09"])
def test_a_rule_that_judges_nothing_is_no_statement_of_the_document(rule: str, capsys: Captured) -> None:
    """A withdrawn rule was read into the document, and a quirk is what one implementation does."""
    assert not re.search(r"\(not judged\): AgentsMD (states|is silent)", said(capsys, rule))
