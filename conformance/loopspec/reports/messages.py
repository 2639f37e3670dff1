"""A run as Cucumber messages: one JSON object per line, for Cucumber's formatters."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import msgspec

from ..engine.output import write_text
from .account import Account, ReportedCase
from .pickles import Envelope, Pickles

PROTOCOL = "34.2.1"  # the version of the message schemas
_JSON = "application/json"


def write_messages(path: Path, account: Account) -> None:
    """Write the messages of a run: its features, and each planned case step by step."""
    lines = (msgspec.json.encode(envelope).decode() for envelope in _envelopes(account))
    write_text(path, "\n".join(lines) + "\n")


def _envelopes(account: Account) -> Iterator[Envelope]:
    pickles = Pickles()
    pickles.add(reported.case for reported in account.cases)
    yield _meta(account)
    yield from pickles.envelopes
    run = pickles.ids.get_next_id()
    clock = _Clock(account.run.began)
    yield {"testRunStarted": {"id": run, "timestamp": clock.now()}}
    attempts = [_Attempt(reported, pickles) for reported in account.cases]
    yield from (attempt.test_case(run) for attempt in attempts)
    for attempt in attempts:
        yield from attempt.envelopes(clock)
    yield {
        "testRunFinished": {
            "testRunStartedId": run,
            "timestamp": clock.now(),
            "success": account.is_conformant,
            "message": account.ending(),
        }
    }


def _meta(account: Account) -> Envelope:
    """The suite and the implementation; a report does not record the machine."""
    identity = account.run.identity
    unknown = {"name": "a machine that is not recorded"}
    runtime = {"name": identity.name} | ({"version": identity.version} if identity.version else {})
    return {
        "meta": {
            "protocolVersion": PROTOCOL,
            "implementation": {"name": "loopspec", "version": account.run.suite},
            "runtime": runtime,
            "os": unknown,
            "cpu": unknown,
        }
    }


class _Clock:
    """The time in a report: the start of the run plus the duration of each case in turn."""

    def __init__(self, began: float) -> None:
        self._nanos = round(began * 1e9)

    def now(self) -> dict[str, int]:
        return _time(self._nanos)

    def advance(self, seconds: float) -> None:
        self._nanos += round(seconds * 1e9)


def _time(nanos: int) -> dict[str, int]:
    return {"seconds": nanos // 10**9, "nanos": nanos % 10**9}


class _Attempt:
    """The only attempt at a case."""

    def __init__(self, reported: ReportedCase, pickles: Pickles) -> None:
        new = pickles.ids.get_next_id
        self._reported = reported
        self._pickled = pickles.by_case[reported.case.id]
        self._case_id, self._id = new(), new()
        self._step_ids = [new() for _ in self._pickled.steps]

    def test_case(self, run: str) -> Envelope:
        """The case with its steps."""
        steps = [
            {
                "id": id_,
                "pickleStepId": step.id,
                "stepDefinitionIds": [step.phrase],
                "stepMatchArgumentsLists": [{"stepMatchArguments": step.arguments}],
            }
            for id_, step in zip(self._step_ids, self._pickled.steps, strict=True)
        ]
        case = {"id": self._case_id, "pickleId": self._pickled.id, "testSteps": steps, "testRunStartedId": run}
        return {"testCase": case}

    def envelopes(self, clock: _Clock) -> Iterator[Envelope]:
        """The attempt, step by step, with results and evidence."""
        reported = self._reported
        started = {"id": self._id, "testCaseId": self._case_id, "attempt": 0, "timestamp": clock.now()}
        yield {"testCaseStarted": started}
        act = _act(reported)
        at, statuses = _statuses(reported)
        for number, (step, status) in enumerate(zip(self._step_ids, statuses, strict=True)):
            place = {"testCaseStartedId": self._id, "testStepId": step}
            yield {"testStepStarted": place | {"timestamp": clock.now()}}
            seconds = reported.line.seconds if number == act else 0.0  # only the When takes time
            clock.advance(seconds)
            result: dict[str, object] = {"status": status, "duration": _time(round(seconds * 1e9))}
            if number == at:
                result["message"] = _message(reported)
                yield from ({"attachment": attachment | place} for attachment in _attachments(reported))
            yield {"testStepFinished": place | {"testStepResult": result, "timestamp": clock.now()}}
        finished = {"testCaseStartedId": self._id, "timestamp": clock.now(), "willBeRetried": False}
        yield {"testCaseFinished": finished}


def _act(reported: ReportedCase) -> int:
    """The position of the When."""
    return next(at for at, step in enumerate(reported.case.steps) if step.kind == "when")


def _statuses(reported: ReportedCase) -> tuple[int | None, list[str]]:
    """The status of each step, and the position of the step with the message.

    A known failure is pending: neither new nor a success. A case without a result is unknown, not skipped.
    """
    count = len(reported.case.steps)
    match reported.verdict:
        case "passed":
            return None, ["PASSED"] * count
        case "inapplicable":
            return 0, ["SKIPPED"] * count
        case "not-run":
            return 0, ["UNKNOWN"] * count
        case "stale":
            return count - 1, ["PASSED"] * (count - 1) + ["FAILED"]
    at = _failing(reported)
    status = "PENDING" if reported.verdict == "known" else "FAILED"
    return at, ["PASSED"] * at + [status] + ["SKIPPED"] * (count - at - 1)


def _failing(reported: ReportedCase) -> int:
    """The step that the report names, or the When."""
    line = reported.line.location.rpartition(":")[2]
    for at, step in enumerate(reported.case.steps):
        if str(step.line) == line:
            return at
    return _act(reported)


def _message(reported: ReportedCase) -> str:
    line = reported.line
    apart = "" if reported.is_normative else " (advisory: counts under --strict)"
    message = f"{line.verdict}{apart if line.verdict == 'failed' else ''}: {line.message}"
    return f"{message}\n{line.inexact}" if line.inexact else message


def _attachments(reported: ReportedCase) -> Iterator[dict[str, object]]:
    """The evidence."""
    line = reported.line
    for name, value in (("scene", line.scene), ("observation", line.observation)):
        if value is not None:
            body = json.dumps(json.loads(msgspec.json.encode(value)), indent=2, ensure_ascii=False)
            yield _attachment(body, _JSON, f"{name}.json")
    for name, text in line.evidence.items():
        yield _attachment(text, "text/plain", f"{name}.txt")


def _attachment(body: str, media_type: str, name: str) -> dict[str, object]:
    return {"body": body, "contentEncoding": "IDENTITY", "mediaType": media_type, "fileName": name}
