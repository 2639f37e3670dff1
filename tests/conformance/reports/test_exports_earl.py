"""`loopspec report --earl` writes EARL, the W3C's vocabulary for test results, as JSON-LD."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import msgspec
import pytest
from pyld import jsonld  # type: ignore[import-untyped]  # it has no types

from loopspec import __version__
from loopspec.cli import main
from loopspec.contract.target import Identity
from loopspec.engine.verdict import VERDICTS, Verdict
from loopspec.reports.account import Account
from loopspec.reports.earl import outcome_of, write_earl
from loopspec.specification.ledger import ledger

from ..recorded import CASES, KNOWN, account_with, every_verdict, failing, recorded, run_of, whole_account
from ..staging import case_of, result_of

EARL = "http://www.w3.org/ns/earl#"
DCT = "http://purl.org/dc/terms/"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
# The classes of the vocabulary that are used, with their required properties, and the outcomes.
OUTCOMES = {f"{EARL}{name}" for name in ("passed", "failed", "cantTell", "inapplicable", "untested")}


def _offline(url: str, options: object) -> NoReturn:
    raise AssertionError(f"the document asks the network for {url}")


def triples_of(path: Path) -> list[tuple[str, str, str]]:
    """The graph as triples of subject, property and object."""
    document = json.loads(path.read_text(encoding="utf-8"))
    dataset: Any = jsonld.to_rdf(document, {"documentLoader": _offline})  # Any: pyld has no types
    assert list(dataset) == ["@default"]
    return [
        (triple["subject"]["value"], triple["predicate"]["value"], triple["object"]["value"])
        for triple in dataset["@default"]
    ]


class Graph:
    """The triples of a document."""

    def __init__(self, path: Path, accounts: Sequence[Account]) -> None:
        write_earl(path, accounts)
        self.triples = triples_of(path)

    def of_type(self, name: str) -> list[str]:
        """The subjects of a class."""
        return sorted({s for s, p, o in self.triples if (p, o) == (TYPE, f"{EARL}{name}")})

    def values(self, subject: str, name: str) -> list[str]:
        """The values of a property of a subject."""
        return [o for s, p, o in self.triples if (s, p) == (subject, name)]

    def value(self, subject: str, name: str) -> str:
        """The only value of a property of a subject."""
        (only,) = self.values(subject, name)
        return only

    def outcomes(self, subject: str = "") -> dict[str, str]:
        """The outcome of each rule, of one implementation or of the only one."""
        return {
            self.value(each, f"{EARL}test").removeprefix("urn:loopspec:rule:"): self.value(
                self.value(each, f"{EARL}result"), f"{EARL}outcome"
            ).removeprefix(EARL)
            for each in self.of_type("Assertion")
            if not subject or self.value(each, f"{EARL}subject") == subject
        }


def test_every_assertion_is_complete(tmp_path: Path) -> None:
    """The assertor, the subject and the rule of each assertion are described in the same document."""
    graph = Graph(tmp_path / "e.jsonld", [whole_account()])

    assertions = graph.of_type("Assertion")
    assert len(assertions) == len(VERDICTS)
    for each in assertions:
        assert graph.value(each, f"{EARL}assertedBy") in graph.of_type("Assertor")
        assert graph.value(each, f"{EARL}subject") in graph.of_type("TestSubject")
        assert graph.value(each, f"{EARL}test") in graph.of_type("TestRequirement")
        assert graph.value(each, f"{EARL}mode") == f"{EARL}automatic"
        result = graph.value(each, f"{EARL}result")
        assert result in graph.of_type("TestResult")
        assert graph.value(result, f"{EARL}outcome") in OUTCOMES
    (suite,) = graph.of_type("Assertor")
    (subject,) = graph.of_type("TestSubject")
    assert (graph.value(suite, f"{DCT}title"), graph.value(suite, f"{DCT}hasVersion")) == ("loopspec", __version__)
    assert (graph.value(subject, f"{DCT}title"), graph.value(subject, f"{DCT}hasVersion")) == ("Acting", "1")
    assert graph.value(subject, f"{DCT}description") == "py:some:target, in python"


def test_nothing_is_lost_on_the_way_to_rdf(tmp_path: Path) -> None:
    """Every name in the document is a term of its context, and no property is dropped."""
    path = tmp_path / "e.jsonld"
    write_earl(path, [whole_account()])
    document = json.loads(path.read_text(encoding="utf-8"))

    names = {name for node in document["@graph"] for name in (*node, *node.get("result", ()))}
    expanded: Any = jsonld.expand(document, {"documentLoader": _offline})  # Any: pyld has no types

    assert names <= set(document["@context"])
    assert [len(node) for node in expanded] == [len(node) for node in document["@graph"]]
    assert {name.partition("#")[0] for node in expanded for name in node if name.startswith("http")} <= {
        EARL.rstrip("#"),
        *(f"{DCT}{name}" for name in ("title", "description", "hasVersion", "identifier", "source", "isPartOf")),
    }


def test_a_verdict_has_an_outcome(tmp_path: Path) -> None:
    """A known failure is failed, and a stale entry is passed."""
    graph = Graph(tmp_path / "e.jsonld", [whole_account()])
    expected: dict[Verdict, str] = {
        "crashed": "failed",
        "timed-out": "failed",
        "errored": "cantTell",
        "not-run": "untested",
        "failed": "failed",
        "stale": "passed",
        "known": "failed",
        "passed": "passed",
        "inapplicable": "inapplicable",
    }

    assert graph.outcomes() == {CASES[verdict].rule.ids[0]: outcome for verdict, outcome in expected.items()}


@pytest.mark.parametrize(
    ("verdicts", "outcome"),
    [
        (["passed", "inapplicable", "passed"], "passed"),
        (["inapplicable"], "inapplicable"),
        (["passed", "errored", "not-run", "known"], "failed"),
        (["passed", "not-run"], "cantTell"),
        (["passed", "errored"], "cantTell"),
        (["not-run", "inapplicable"], "untested"),
    ],
)
def test_a_rule_has_the_outcome_of_its_cases(verdicts: list[Verdict], outcome: str) -> None:
    """A partly judged rule has the outcome cantTell, unless a case fails."""
    assert outcome_of(verdicts) == outcome


def test_without_trusted_verdicts_no_rule_passes() -> None:
    """If the canary passes, a pass cannot be trusted, and a failure remains a failure."""
    assert outcome_of(["passed"], trusted=False) == "cantTell"
    assert outcome_of(["failed", "passed"], trusted=False) == "failed"


def test_a_run_without_its_canary_passes_nothing(tmp_path: Path) -> None:
    """The document follows the canary; a truncated report has no result of the canary."""
    running = run_of([CASES["passed"]])
    running.canary = False
    account = account_with(running, [result_of(CASES["passed"], "passed")])

    rule = CASES["passed"].rule.ids[0]
    assert Graph(tmp_path / "e", [account]).outcomes() == {rule: "cantTell"}
    assert Graph(tmp_path / "e", [replace(account, summary=None)]).outcomes() == {rule: "passed"}


def test_an_assertion_has_its_info_and_date(tmp_path: Path) -> None:
    """The info of a result has verdict, case and message of each case that did not pass, or is missing."""
    path = tmp_path / "e.jsonld"
    cases = [case_of("AMD-DEPTH-03"), case_of("AMD-DEPTH-03", 1), CASES["passed"]]
    account = account_with(run_of(cases), [failing(cases[0]), *(result_of(case, "passed") for case in cases[1:])])
    graph = Graph(path, [replace(account, run=msgspec.structs.replace(account.run, began=0.0))])
    dated = Graph(path, [replace(account, run=msgspec.structs.replace(account.run, began=1.5))])

    infos = [graph.values(result, f"{EARL}info") for result in graph.of_type("TestResult")]
    dates = [graph.values(result, f"{DCT}date") for result in graph.of_type("TestResult")]
    assert sorted(infos) == [[], [f"failed: {cases[0].id}: so\n  expected: a\n  seen:     b"]]
    assert dates == [[], []]
    assert {dated.value(result, f"{DCT}date") for result in dated.of_type("TestResult")} == {
        "1970-01-01T00:00:01.500000+00:00"
    }


def test_a_requirement_is_the_rule_as_the_ledger_has_it(tmp_path: Path) -> None:
    """A requirement has the id, the sentence, the basis and the sections of the rule."""
    case = CASES["failed"]
    graph = Graph(tmp_path / "e", [account_with(run_of([case]), [failing(case)])])
    rule = f"urn:loopspec:rule:{case.rule.ids[0]}"
    row = ledger().rules[case.rule.ids[0]]

    assert graph.value(rule, f"{DCT}identifier") == case.rule.ids[0]
    assert graph.value(rule, f"{DCT}title") == case.rule.sentence
    assert graph.value(rule, f"{DCT}description") == f"a {row.basis} rule"
    assert sorted(graph.values(rule, f"{DCT}source")) == sorted(f"AgentsMD: {section}" for section in row.sections)
    assert graph.value(rule, f"{DCT}isPartOf").startswith("urn:loopspec:features:")


def test_several_reports_make_one_graph(tmp_path: Path) -> None:
    """Each rule and each suite is described once, and each implementation by its name and version."""
    case, other = CASES["passed"], CASES["failed"]
    one = account_with(run_of([case]), [result_of(case, "passed")])
    two = account_with(run_of([case, other], version="2 ü/#"), [failing(case), result_of(other, "passed")])
    graph = Graph(tmp_path / "e", [one, two])

    subjects = ["urn:loopspec:subject:Acting:1", "urn:loopspec:subject:Acting:2%20%C3%BC%2F%23"]
    assert graph.of_type("TestSubject") == subjects
    assert len(graph.of_type("Assertor")) == 1
    assert graph.outcomes(subjects[0]) == {case.rule.ids[0]: "passed"}
    assert graph.outcomes(subjects[1]) == {case.rule.ids[0]: "failed", other.rule.ids[0]: "passed"}


def test_names_and_messages_cannot_break_the_document(tmp_path: Path) -> None:
    """Names with special characters are valid in IRIs, and messages are literals."""
    case = CASES["failed"]
    text = 'a "b" <c> \\ {d} \n é 🦊'
    account = account_with(run_of([case]), [failing(case, text)])
    account = replace(
        account, run=msgspec.structs.replace(account.run, identity=Identity(name=text, version="", language=""))
    )
    graph = Graph(tmp_path / "e", [account])

    (subject,) = graph.of_type("TestSubject")
    assert graph.value(subject, f"{DCT}title") == text
    assert graph.values(subject, f"{DCT}hasVersion") == []
    assert not set(subject) & set(' "<>\\{}\n')


def test_the_command_combines_reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule of two implementations is described once."""
    monkeypatch.chdir(tmp_path)
    recorded(Path("a.jsonl"), run_of(CASES.values(), known=KNOWN), every_verdict())
    recorded(Path("b.jsonl"), run_of(CASES.values(), known=KNOWN, version="2"), every_verdict())

    assert main(["report", "a.jsonl", "b.jsonl", "--earl", "e.jsonld"]) == 0

    types = Counter(o for _, p, o in triples_of(Path("e.jsonld")) if p == TYPE)
    assert (types[f"{EARL}Assertion"], types[f"{EARL}TestSubject"], types[f"{EARL}Assertor"]) == (18, 2, 1)
    assert types[f"{EARL}TestRequirement"] == 9 + 1
