"""`loopspec report --messages` writes a run as Cucumber messages."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace as altered
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from loopspec.contract.observation import Observation
from loopspec.contract.scene import Scene
from loopspec.contract.specification import features_root
from loopspec.engine.result import Result, Verdict
from loopspec.reports.account import Account
from loopspec.reports.messages import as_messages
from loopspec.specification.cases import Case
from loopspec.specification.features import compiled
from loopspec.specification.sources import cases_in

from ..recorded import CASES, HEARD, SEEN, account_with, failing, run_of, whole_account
from ..staging import case_of, result_of

Body = dict[str, Any]  # a message: JSON


class Stream:
    """The messages of one run."""

    def __init__(self, account: Account) -> None:
        lines = as_messages(account).split("\n")
        assert lines.pop() == ""
        self.all: list[tuple[str, Body]] = [next(iter(json.loads(line).items())) for line in lines]

    def of(self, kind: str) -> list[Body]:
        """All messages of a kind."""
        return [body for name, body in self.all if name == kind]

    def one(self, kind: str) -> Body:
        """The only message of a kind."""
        (body,) = self.of(kind)
        return body

    def case(self, case: Case) -> tuple[list[Body], list[Body]]:
        """The finished steps of a case, and its attachments."""
        pickle = next(p for p in self.of("pickle") if p["name"] == case.title and p["uri"] == case.file)
        test = next(t for t in self.of("testCase") if t["pickleId"] == pickle["id"])
        started = next(s["id"] for s in self.of("testCaseStarted") if s["testCaseId"] == test["id"])
        finished = [body for body in self.of("testStepFinished") if body["testCaseStartedId"] == started]
        return finished, [body for body in self.of("attachment") if body["testCaseStartedId"] == started]

    def statuses(self, case: Case) -> list[str]:
        """The statuses of the steps of a case."""
        return [body["testStepResult"]["status"] for body in self.case(case)[0]]

    def says(self, case: Case) -> dict[int, str]:
        """The messages of the steps of a case, by position."""
        results = [body["testStepResult"] for body in self.case(case)[0]]
        return {at: result["message"] for at, result in enumerate(results) if "message" in result}


@pytest.fixture(scope="module")
def stream() -> Stream:
    """A stream with each verdict once."""
    return Stream(whole_account())


@pytest.fixture(scope="module", params=["a tenth", pytest.param("all", marks=pytest.mark.long)])
def cases(request: pytest.FixtureRequest) -> list[Case]:
    """The cases of some feature files, or of all of them."""
    files = list(dict.fromkeys(case.file for case in compiled()))
    return [case for case in compiled() if case.file in (files if request.param == "all" else files[::10])]


@pytest.fixture(scope="module")
def everything(cases: list[Case]) -> Stream:
    """The messages of a run in which these cases pass."""
    return Stream(account_with(run_of(cases), [result_of(case, "passed") for case in cases]))


def test_messages_are_in_order(stream: Stream) -> None:
    """The order is meta, sources, plan, events; a message precedes each reference to it."""
    kinds = list(dict.fromkeys(name for name, _ in stream.all if name != "attachment"))

    sources = ["meta", "source", "gherkinDocument", "pickle", "stepDefinition", "testRunStarted", "testCase"]
    events = ["testCaseStarted", "testStepStarted", "testStepFinished", "testCaseFinished", "testRunFinished"]
    assert kinds == [*sources, *events]
    assert [name for name, _ in (stream.all[0], stream.all[-1])] == ["meta", "testRunFinished"]


def test_every_id_is_unique_and_every_reference_resolves(stream: Stream) -> None:
    """The ids include those of syntax trees and table rows."""
    given: list[str] = []
    referred: set[str] = set()

    def look(value: object, inside: str = "") -> None:
        if isinstance(value, dict):
            for name, each in value.items():
                if name == "id":
                    given.append(each)
                elif name.endswith("Id"):
                    referred.add(each)
                elif name.endswith("Ids"):
                    referred.update(each)
                else:
                    look(each, name)
        elif isinstance(value, list):
            for each in value:
                look(each, inside)

    for _, body in stream.all:
        look(body)

    assert [id_ for id_, count in Counter(given).items() if count > 1] == []
    assert referred <= set(given)


def test_features_become_messages(everything: Stream, cases: list[Case]) -> None:
    """A case is a pickle with the same name and steps, and each file is included unchanged."""
    stream = everything

    pickles = stream.of("pickle")
    assert [p["name"].replace("\n", "\\n") for p in pickles] == [case.title for case in cases]
    assert [[s["text"] for s in p["steps"]] for p in pickles] == [[s.text for s in case.steps] for case in cases]
    assert [[tag["name"] for tag in p["tags"] if not tag["name"].startswith("@axis:")] for p in pickles] == [
        [*(f"@{id_}" for id_ in case.rule.ids), f"@{case.rule.basis}"] for case in cases
    ]
    assert {source["uri"]: source["data"] for source in stream.of("source")} == {
        case.file: (features_root() / case.file).read_text(encoding="utf-8") for case in cases
    }
    assert Counter(body["testStepResult"]["status"] for body in stream.of("testStepFinished")) == {
        "PASSED": sum(len(case.steps) for case in cases)
    }


def test_a_step_has_its_phrase_and_arguments(everything: Stream) -> None:
    """The pattern of the phrase matches the step; positions of arguments are counted as in Cucumber."""
    stream = everything
    patterns = {body["id"]: body["pattern"]["source"] for body in stream.of("stepDefinition")}
    texts = {step["id"]: step["text"] for pickle in stream.of("pickle") for step in pickle["steps"]}
    arguments = 0

    for step in (step for test in stream.of("testCase") for step in test["testSteps"]):
        text = texts[step["pickleStepId"]]
        (phrase,) = step["stepDefinitionIds"]
        assert re.fullmatch(patterns[phrase], text, re.DOTALL), (patterns[phrase], text)
        (matches,) = step["stepMatchArgumentsLists"]
        for argument in matches["stepMatchArguments"]:
            group = argument["group"]
            units = text.encode("utf-16-le")[2 * group["start"] :].decode("utf-16-le")
            assert units.startswith(group["value"])
            arguments += 1

    assert arguments > len(texts) / 2
    assert set(patterns) == {
        id_ for test in stream.of("testCase") for s in test["testSteps"] for id_ in s["stepDefinitionIds"]
    }
    for body in stream.of("stepDefinition"):
        assert re.fullmatch(r"loopspec_steps/(given|when|then)/\w+\.py", body["sourceReference"]["uri"])
        assert body["sourceReference"]["location"]["line"] > 1


@pytest.mark.parametrize(
    ("verdict", "before", "status", "after", "message"),
    [
        ("passed", 0, "PASSED", "PASSED", None),
        ("failed", -1, "FAILED", "", "failed: so\n  expected: a\n  seen:     b"),
        ("known", -1, "PENDING", "", "known: so\n  expected: a\n  seen:     b"),
        ("stale", -1, "FAILED", "", "stale: passes, although the baseline lists it"),
        ("inapplicable", 0, "SKIPPED", "SKIPPED", "inapplicable: needs edits"),
        ("not-run", 0, "UNKNOWN", "UNKNOWN", "not-run: there was no time"),
        ("crashed", "when", "FAILED", "SKIPPED", "crashed: it crashed"),
        ("timed-out", "when", "FAILED", "SKIPPED", "timed-out: it timed-out"),
        ("errored", "when", "FAILED", "SKIPPED", "errored: it errored"),
    ],
)
def test_a_verdict_is_reported_step_by_step(
    verdict: Verdict, before: int | str, status: str, after: str, message: str | None, stream: Stream
) -> None:
    """The steps before the failing step have passed, and the steps after it are skipped."""
    case = CASES[verdict]
    count = len(case.steps)
    at = (
        next(n for n, step in enumerate(case.steps) if step.kind == "when") if before == "when" else int(before) % count
    )

    assert stream.statuses(case) == ["PASSED"] * at + [status] + [after] * (count - at - 1)
    assert stream.says(case) == ({} if message is None else {at: message})


@pytest.mark.parametrize(("at", "found"), [(-2, -2), (-1, -1), (None, "when")])
def test_the_failing_step_is_found_by_its_line(at: int | None, found: int | str) -> None:
    """The steps after it are skipped; a failure without a Then is that of the When. An advisory one says so."""
    case = next(case for case in compiled() if case.basis == "clarified" and len(case.checks) > 2)
    place = f"{case.file}:{case.line if at is None else case.steps[at].line}"
    stream = Stream(account_with(run_of([case]), [replace(failing(case), location=place)]))

    failed = case.steps.index(case.when) if isinstance(found, str) else found % len(case.steps)
    left = len(case.steps) - failed - 1
    assert stream.statuses(case) == [*["PASSED"] * failed, "FAILED", *["SKIPPED"] * left]
    (message,) = stream.says(case).values()
    assert message.startswith("failed (advisory: counts under --strict): so\n")
    assert stream.one("testRunFinished")["success"] is True


def test_the_cases_of_variants_and_invariants_have_pickles_of_their_own() -> None:
    """They have the steps of the case of which they are forms."""
    base = case_of("LOOP-03")
    (variant,) = cases_in(base, ["streaming"])
    no = replace(result_of(base, "failed", "no"), case=f"{base.id} + calls-have-results", rules=("INVARIANT-01",))
    results = [replace(result_of(base, "passed"), broken=(no,)), result_of(variant, "passed")]
    stream = Stream(account_with(run_of([base, variant]), results))

    pickles = stream.of("pickle")
    assert [pickle["name"] for pickle in pickles] == [base.title, variant.title, f"{base.title} + calls-have-results"]
    assert len({pickle["id"] for pickle in pickles}) == len(stream.of("testCase")) == 3
    assert len({tuple(step["text"] for step in pickle["steps"]) for pickle in pickles}) == 1
    statuses = Counter(body["testStepResult"]["status"] for body in stream.of("testStepFinished"))
    assert (statuses["FAILED"], statuses["PASSED"]) == (1, 2 * len(base.steps) + base.steps.index(base.when))


def test_the_evidence_is_attached_to_the_step_that_failed(stream: Stream) -> None:
    """Scene and Observation are attached as JSON, and the output of the process as text."""
    for verdict in ("failed", "known"):
        case = CASES[verdict]
        steps, attached = stream.case(case)
        assert [(a["fileName"], a["mediaType"], a["contentEncoding"]) for a in attached] == [
            ("scene.json", "application/json", "IDENTITY"),
            ("observation.json", "application/json", "IDENTITY"),
            ("stderr.txt", "text/plain", "IDENTITY"),
        ]
        assert msgspec.json.decode(attached[0]["body"], type=Scene) == case.scene
        assert msgspec.json.decode(attached[1]["body"], type=Observation) == SEEN
        assert attached[2]["body"] == HEARD["stderr"]
        assert {a["testStepId"] for a in attached} == {steps[-1]["testStepId"]}
    assert [a["fileName"] for a in stream.case(CASES["crashed"])[1]] == ["scene.json"]
    assert stream.case(CASES["passed"])[1] == []


def test_an_observation_that_could_not_be_recorded_is_reported() -> None:
    """The remark follows the message."""
    case = CASES["failed"]
    odd = replace(SEEN, languages=("a\udcff",))
    stream = Stream(account_with(run_of([case]), [replace(failing(case), observation=odd)]))

    (message,) = stream.says(case).values()
    assert message.endswith("\nwhat was seen holds values that JSON does not have, so the record shows them as text")


def test_timestamps_advance_by_the_duration_of_each_case() -> None:
    """Time starts at the beginning of the run; the seconds of a case are those of its When."""
    cases: list[tuple[Case, Result]] = [
        (CASES["passed"], result_of(CASES["passed"], "passed", seconds=0.25)),
        (CASES["stale"], result_of(CASES["stale"], "passed", seconds=1.5)),
    ]
    account = account_with(run_of(case for case, _ in cases), [result for _, result in cases])
    account = altered(account, run=replace(account.run, began=1000.25))
    stream = Stream(account)

    def at(body: Body) -> float:
        return float(body["timestamp"]["seconds"] + body["timestamp"]["nanos"] / 1e9)

    assert at(stream.one("testRunStarted")) == 1000.25
    assert [at(body) for body in stream.of("testCaseFinished")] == [1000.5, 1002.0]
    assert at(stream.one("testRunFinished")) == 1002.0
    times = [at(body) for _, body in stream.all if "timestamp" in body]
    assert times == sorted(times)
    spent = [body["testStepResult"]["duration"] for body in stream.case(CASES["stale"])[0]]
    assert sum(each["seconds"] + each["nanos"] / 1e9 for each in spent) == 1.5


def test_a_truncated_report_is_no_success() -> None:
    """A case that is missing from the report has the status UNKNOWN."""
    cases = [CASES["passed"], CASES["failed"]]
    account = altered(account_with(run_of(cases), [result_of(cases[0], "passed")], interrupted=True), summary=None)
    stream = Stream(account)

    assert set(stream.statuses(cases[1])) == {"UNKNOWN"}
    assert stream.one("testRunFinished")["success"] is False
    assert stream.one("testRunFinished")["message"] == ("The report was cut off: 1 of 2 cases has no verdict.")


def test_only_planned_cases_are_included() -> None:
    """Other cases of the file are no pickles."""
    case = case_of("AMD-DEPTH-01", 1)
    stream = Stream(account_with(run_of([case]), [result_of(case, "passed")]))

    assert [pickle["name"] for pickle in stream.of("pickle")] == [case.title]
    assert len(stream.of("source")) == len(stream.of("gherkinDocument")) == len(stream.of("testCase")) == 1


def test_the_meta_message_names_the_suite_and_the_implementation(stream: Stream) -> None:
    """The machine is not recorded."""
    meta = stream.one("meta")

    assert meta["implementation"]["name"] == "loopspec"
    assert meta["runtime"] == {"name": "Acting", "version": "1"}
    assert meta["os"] == meta["cpu"] == {"name": "a machine that is not recorded"}
    assert re.fullmatch(r"\d+\.\d+\.\d+", meta["protocolVersion"])
