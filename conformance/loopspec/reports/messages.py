"""A run as Cucumber messages: one JSON object per line, for Cucumber's formatters."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from gherkin.ast_builder import AstBuilder
from gherkin.parser import Parser
from gherkin.pickles.compiler import Compiler
from gherkin.stream.id_generator import IdGenerator

from loopspec_steps import BOOK, Phrase

from ..contract.specification import feature_path
from ..specification.cases import Case
from ..specification.features import compiled
from .account import Account, ReportedCase, ending

PROTOCOL = "34.2.1"  # the version of the message schemas
_PLAIN = {"contentEncoding": "IDENTITY"}  # of an attachment
_HOLE = re.compile(r"\{[^}]*\}")

Envelope = Mapping[str, object]


def as_messages(account: Account) -> str:
    """The messages of a run: its features, and each planned case step by step."""
    return "".join(f"{msgspec.json.encode(envelope).decode()}\n" for envelope in _Stream(account).envelopes())


class _Stream:
    """The messages of one run. The time is the start of the run plus that of each case in turn."""

    def __init__(self, account: Account) -> None:
        self._account = account
        self._ids = IdGenerator()
        self._pickles: dict[str, Any] = {}  # by the names of cases; Any: Gherkin's JSON-like tree, here and below
        self._definitions: dict[Phrase, str] = {}  # the ids of the step definitions
        self._nanos = round(account.run.began * 1e9)

    def _now(self) -> Envelope:
        return {"timestamp": _time(self._nanos)}

    def envelopes(self) -> Iterator[Envelope]:
        """All messages, in Cucumber's order."""
        account, run = self._account, self._ids.get_next_id()
        features = list(self._features())
        cases = [reported for reported in account.cases if reported.case.id in self._pickles]  # those of a feature
        test_cases = [self._test_case(reported.case, run) for reported in cases]
        yield self._meta()
        yield from features
        yield from (_step_definition(phrase, id_) for phrase, id_ in self._definitions.items())
        yield {"testRunStarted": {"id": run, **self._now()}}
        yield from ({"testCase": test_case} for test_case in test_cases)
        for reported, test_case in zip(cases, test_cases, strict=True):
            yield from self._attempt(reported, test_case)
        success = account.summary is not None and account.summary.exit_code == 0
        finished = {"testRunStartedId": run, **self._now(), "success": success, "message": ending(account)}
        yield {"testRunFinished": finished}

    def _meta(self) -> Envelope:
        """The suite and the implementation; a report does not record the machine."""
        identity = self._account.run.identity
        unknown = {"name": "a machine that is not recorded"}
        runtime = {"name": identity.name} | ({"version": identity.version} if identity.version else {})
        return {
            "meta": {
                "protocolVersion": PROTOCOL,
                "implementation": {"name": "loopspec", "version": self._account.run.suite},
                "runtime": runtime,
                "os": unknown,
                "cpu": unknown,
            }
        }

    def _features(self) -> Iterator[Envelope]:
        """The feature files of the planned cases: each with its syntax tree and with the pickles of these cases."""
        wanted: dict[str, list[Case]] = {}
        for reported in self._account.cases:
            wanted.setdefault(reported.case.base.id, []).append(reported.case)
        for file in dict.fromkeys(case.file for case in compiled() if case.id in wanted):
            text = feature_path(file).read_text(encoding="utf-8")
            document: Any = Parser(AstBuilder(self._ids)).parse(text) | {"uri": file}
            yield {"source": {"uri": file, "data": text, "mediaType": "text/x.cucumber.gherkin+plain"}}
            yield {"gherkinDocument": document}
            of_file = [case for case in compiled() if case.file == file]
            for case, pickle in zip(of_file, Compiler(self._ids).compile(document), strict=True):
                for form in wanted.get(case.id, ()):
                    made = pickle if form.id == case.id else self._of_form(form.id.removeprefix(case.id), pickle)
                    self._pickles[form.id] = made
                    yield {"pickle": made}

    def _of_form(self, form: str, pickle: Any) -> Any:
        """The pickle of a form of a case, which has the same steps, and no scenario of its own."""
        new, name = self._ids.get_next_id, pickle["name"] + form
        return {**pickle, "id": new(), "name": name, "steps": [{**step, "id": new()} for step in pickle["steps"]]}

    def _test_case(self, case: Case, run: str) -> dict[str, Any]:
        """A case with its steps, each with its phrase and the arguments of the phrase."""
        new, pickle, steps = self._ids.get_next_id, self._pickles[case.id], []
        for step, of_pickle in zip(case.steps, pickle["steps"], strict=True):
            phrase = BOOK.match(step.kind, step.text).phrase
            steps.append(
                {
                    "id": new(),
                    "pickleStepId": of_pickle["id"],
                    "stepDefinitionIds": [self._definitions.setdefault(phrase, new())],
                    "stepMatchArgumentsLists": [{"stepMatchArguments": list(_arguments(phrase, step.text))}],
                }
            )
        return {"id": new(), "pickleId": pickle["id"], "testSteps": steps, "testRunStartedId": run}

    def _attempt(self, reported: ReportedCase, test_case: Mapping[str, Any]) -> Iterator[Envelope]:
        """The only attempt at a case, step by step, with results and evidence. Only the When takes time."""
        attempt = self._ids.get_next_id()
        yield {"testCaseStarted": {"id": attempt, "testCaseId": test_case["id"], "attempt": 0, **self._now()}}
        at, statuses = _statuses(reported)
        for number, (step, status) in enumerate(zip(test_case["testSteps"], statuses, strict=True)):
            place = {"testCaseStartedId": attempt, "testStepId": step["id"]}
            yield {"testStepStarted": {**place, **self._now()}}
            nanos = round(reported.line.seconds * 1e9) if number == _act(reported) else 0
            self._nanos += nanos
            result: dict[str, object] = {"status": status, "duration": _time(nanos)}
            if number == at:
                result["message"] = self._message(reported)
                yield from ({"attachment": attachment | place} for attachment in _attachments(reported))
            yield {"testStepFinished": {**place, "testStepResult": result, **self._now()}}
        yield {"testCaseFinished": {"testCaseStartedId": attempt, **self._now(), "willBeRetried": False}}

    def _message(self, reported: ReportedCase) -> str:
        line = reported.line
        advisory = line.verdict == "failed" and not self._account.is_normative(line)
        apart = " (advisory: counts under --strict)" if advisory else ""
        message = f"{line.verdict}{apart}: {line.message}"
        return f"{message}\n{line.inexact}" if line.inexact else message


def _time(nanos: int) -> dict[str, int]:
    return {"seconds": nanos // 10**9, "nanos": nanos % 10**9}


def _arguments(phrase: Phrase, text: str) -> Iterator[Envelope]:
    """The arguments with their positions, which Cucumber counts in units of UTF-16."""
    for start, end in phrase.spans(text):
        yield {"group": {"start": len(text[:start].encode("utf-16-le")) // 2, "value": text[start:end], "children": []}}


def _step_definition(phrase: Phrase, id_: str) -> Envelope:
    forms = [
        "(.*)".join(map(re.escape, _HOLE.split(sentence))) for sentence in (phrase.sentence, phrase.one) if sentence
    ]
    pattern = forms[0] if len(forms) == 1 else f"(?:{'|'.join(forms)})"
    return {
        "stepDefinition": {
            "id": id_,
            "pattern": {"source": f"^{pattern}$", "type": "REGULAR_EXPRESSION"},
            "sourceReference": {
                "uri": f"{phrase.source.module.replace('.', '/')}.py",
                "location": {"line": phrase.source.line},
            },
        }
    }


def _act(reported: ReportedCase) -> int:
    """The position of the When."""
    return next(at for at, step in enumerate(reported.case.steps) if step.kind == "when")


def _statuses(reported: ReportedCase) -> tuple[int | None, list[str]]:
    """The status of each step, and the position of the step with the message: the When, if the report names no step.

    A known failure is pending: neither new nor a success. A case without a result is unknown, not skipped.
    """
    count = len(reported.case.steps)
    match reported.line.verdict:
        case "passed":
            return None, ["PASSED"] * count
        case "inapplicable":
            return 0, ["SKIPPED"] * count
        case "not-run":
            return 0, ["UNKNOWN"] * count
        case "stale":
            return count - 1, ["PASSED"] * (count - 1) + ["FAILED"]
    line = reported.line.location.rpartition(":")[2]
    at = next((at for at, step in enumerate(reported.case.steps) if str(step.line) == line), _act(reported))
    status = "PENDING" if reported.line.verdict == "known" else "FAILED"
    return at, ["PASSED"] * at + [status] + ["SKIPPED"] * (count - at - 1)


def _attachments(reported: ReportedCase) -> Iterator[dict[str, object]]:
    """The evidence."""
    line = reported.line
    for name, value in (("scene", line.scene), ("observation", line.observation)):
        if value is not None:
            body = json.dumps(json.loads(msgspec.json.encode(value)), indent=2, ensure_ascii=False)
            yield {**_PLAIN, "body": body, "mediaType": "application/json", "fileName": f"{name}.json"}
    for name, text in line.evidence.items():
        yield {**_PLAIN, "body": text, "mediaType": "text/plain", "fileName": f"{name}.txt"}
