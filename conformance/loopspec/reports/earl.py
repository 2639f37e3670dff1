"""The verdicts of rules in the W3C's Evaluation and Report Language (EARL 1.0), as JSON-LD.

A rule is a requirement, and an assertion is its outcome on one implementation. Several reports become one document,
which tools for implementation reports can join with others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

import msgspec

from ..engine.output import write_text
from ..engine.verdict import Verdict
from ..specification.ledger import ledger
from .account import Account, ReportedCase, ReportedRule
from .ending import in_own_posture

Node = dict[str, object]

_LONG = 2000  # characters of the message of a case
_CONTEXT = {
    "earl": "http://www.w3.org/ns/earl#",
    "dct": "http://purl.org/dc/terms/",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "id": "@id",
    "type": "@type",
    "title": "dct:title",
    "description": "dct:description",
    "hasVersion": "dct:hasVersion",
    "identifier": "dct:identifier",
    "source": "dct:source",
    "isPartOf": {"@id": "dct:isPartOf", "@type": "@id"},
    "date": {"@id": "dct:date", "@type": "xsd:dateTime"},
    "assertedBy": {"@id": "earl:assertedBy", "@type": "@id"},
    "subject": {"@id": "earl:subject", "@type": "@id"},
    "test": {"@id": "earl:test", "@type": "@id"},
    "mode": {"@id": "earl:mode", "@type": "@id"},
    "outcome": {"@id": "earl:outcome", "@type": "@id"},
    "result": "earl:result",
    "info": "earl:info",
}
# A fault of an adapter is no outcome of the implementation; a crash or a hang of an implementation fails the rule.
_OUTCOMES: dict[Verdict, str] = {
    "passed": "passed",
    "stale": "passed",
    "known": "failed",
    "failed": "failed",
    "crashed": "failed",
    "timed-out": "failed",
    "errored": "cantTell",
    "not-run": "untested",
    "inapplicable": "inapplicable",
}


def write_earl(path: Path, accounts: Sequence[Account]) -> None:
    """Write one assertion for each rule in a report, with the subjects of the assertions."""
    suites = {account.run.suite for account in accounts}
    rules = {rule.id: rule for account in accounts for rule in account.rules}
    subjects = {_subject(account): account for account in accounts}
    graph: list[Node] = [
        *(_assertor(suite) for suite in sorted(suites)),
        *(_implementation(account) for account in subjects.values()),
        {"id": _features(accounts), "type": ["earl:TestRequirement"], "title": "the rules of loopspec"},
        *(_requirement(rule, _features(accounts)) for rule in rules.values()),
        *(assertion for account in accounts for assertion in _assertions(account)),
    ]
    document = {"@context": _CONTEXT, "@graph": graph}
    write_text(path, msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n")


def outcome_of(verdicts: Iterable[Verdict], trusted: bool = True) -> str:
    """The outcome of a rule from the verdicts of its cases: `cantTell` if only a part of them was judged.

    `trusted` is off if the canary passed: no pass counts then.
    """
    found = {_OUTCOMES[verdict] for verdict in verdicts} - {"inapplicable"}
    if not found:
        return "inapplicable"
    if "failed" in found:
        return "failed"
    if len(found) > 1 or (found == {"passed"} and not trusted):
        return "cantTell"
    return found.pop()


def _suite(version: str) -> str:
    return f"urn:loopspec:suite:{quote(version, safe='')}"


def _subject(account: Account) -> str:
    """The implementation, which is the same in every report about its version."""
    identity = account.run.identity
    return f"urn:loopspec:subject:{quote(identity.name, safe='')}:{quote(identity.version, safe='')}"


def _features(accounts: Sequence[Account]) -> str:
    return f"urn:loopspec:features:{quote(accounts[0].run.features, safe='')}"


def _rule(rule: str) -> str:
    return f"urn:loopspec:rule:{rule}"


def _assertor(suite: str) -> Node:
    return {
        "id": _suite(suite),
        "type": ["earl:Assertor", "earl:Software"],
        "title": "loopspec",
        "hasVersion": suite,
    }


def _implementation(account: Account) -> Node:
    identity = account.run.identity
    node: Node = {"id": _subject(account), "type": ["earl:TestSubject", "earl:Software"], "title": identity.name}
    if identity.version:
        node["hasVersion"] = identity.version
    language = identity.language or "a language that it does not report"
    node["description"] = f"{account.run.target}, in {language}{in_own_posture(account.run.postures)}"
    return node


def _requirement(rule: ReportedRule, features: str) -> Node:
    row = ledger().rules[rule.id]
    return {
        "id": _rule(rule.id),
        "type": ["earl:TestRequirement"],
        "identifier": rule.id,
        "title": rule.sentence,
        "description": f"a {rule.basis} rule",
        "source": [f"{ledger().documents[row.document]}: {section}" for section in row.sections],
        "isPartOf": features,
    }


def _assertions(account: Account) -> Iterator[Node]:
    trusted = account.summary is None or account.summary.canary
    for rule in account.rules:
        result: Node = {
            "type": "earl:TestResult",
            "outcome": f"earl:{outcome_of((reported.verdict for reported in rule.cases), trusted)}",
        }
        if info := "\n".join(_messages(rule.cases)):
            result["info"] = info
        if account.run.began:
            result["date"] = datetime.fromtimestamp(account.run.began, UTC).isoformat()
        yield {
            "type": "earl:Assertion",
            "assertedBy": _suite(account.run.suite),
            "subject": _subject(account),
            "test": _rule(rule.id),
            "mode": "earl:automatic",
            "result": result,
        }


def _messages(cases: Iterable[ReportedCase]) -> Iterator[str]:
    """The messages of the cases that did not pass."""
    for reported in cases:
        if reported.verdict != "passed":
            message = reported.line.message
            yield f"{reported.verdict}: {reported.case.id}: " + (
                message if len(message) <= _LONG else f"{message[:_LONG]} …"
            )
