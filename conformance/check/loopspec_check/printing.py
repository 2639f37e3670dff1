"""Findings as text, as JSON lines and as SARIF. Each is written when it is found, and contents only if asked for."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Protocol

import msgspec

from loopspec.engine.output import counted, in_a_line, listed
from loopspec.reports.sarif import Object, sarif, sarif_result

from .checking import Checked
from .formats import FORMATS
from .history import Entry
from .judging import Finding
from .rules import providers, rules
from .values import Keys

_LONGEST = 80  # characters of a name or an id
_LONGEST_QUOTE = 200
_OPEN = ("CHECK-01", "CHECK-02")  # the rules of calls without a result


class Printer(Protocol):
    """A form of the output."""

    def add(self, checked: Checked) -> None:
        """Print the findings of a session."""

    def end(self) -> None:
        """Print what belongs at the end."""


def message_of(finding: Finding) -> str:
    """The sentence of a finding."""
    values = {key: plain(value) for key, value in finding.values.items()}
    key, name = values.get("id"), values.get("name")
    call = f"the call {key}" if key else "a call"
    values |= {"call": f"{call} of {name}" if name else call, "result": f"the result of {key or name}"}
    return rules()[finding.rule].message.format(**values)


def refusal_of(finding: Finding, read_as: str) -> str:
    """What the next request meets, of a history that is read as a format; empty if nothing is known."""
    repair = FORMATS[read_as].repair if read_as in FORMATS and finding.rule in _OPEN else ""
    if repair:
        return f"the next request: {repair}"
    if not finding.refused_by:
        return ""
    names = [providers()[name].title for name in finding.refused_by]
    verb = "refuses" if len(names) == 1 else "refuse"
    return f"the next request: {listed(names)} {verb} it"


def plain(value: object, longest: int = _LONGEST) -> str:
    """A value in one line: control characters are escaped, and a long text is cut."""
    line = value if isinstance(value, str) else _json(value)
    return in_a_line(line[:longest] + ("…" if len(line) > longest else ""))


def _json(value: object) -> str:
    try:
        return msgspec.json.encode(value).decode()
    except (msgspec.EncodeError, UnicodeEncodeError, RecursionError):
        return "…"


class TextPrinter:
    """A finding with its place, the entries before it, what the next request meets, and what to do."""

    def __init__(self, *, quote: bool) -> None:
        self._quote = quote

    def add(self, checked: Checked) -> None:
        """Print the findings of a session."""
        name = f" (session {plain(checked.session)})" if checked.session else ""
        for one in checked.findings:
            rule = rules()[one.rule]
            print(f"{plain(str(checked.path), 500)}:{one.line}: {rule.severity} {one.rule} {message_of(one)}{name}")
            for entry in one.context:
                mark = ">" if (entry.line, entry.at) == (one.line, one.at) else " "
                print(f"  {mark} {entry.line:>5}  {_said(entry, quote=self._quote)}")
            if refusal := refusal_of(one, checked.format):
                print(f"    {refusal}")
            print(f"    what to do: {rule.fix}", flush=True)

    def end(self) -> None:
        """Nothing: the command prints the sum."""


def _said(entry: Entry, *, quote: bool) -> str:
    what: str = entry.kind
    if entry.kind in ("call", "result"):
        what = " ".join(each for each in (entry.kind, plain(entry.name), plain(entry.id), entry.status) if each)
    return f"message {entry.message}: {what}{' ' + plain(entry.content, _LONGEST_QUOTE) if quote else ''}"


class JSONPrinter:
    """One JSON object on each line, for each finding."""

    def add(self, checked: Checked) -> None:
        """Print the findings of a session."""
        for one in checked.findings:
            found = {
                "path": str(checked.path),
                "format": checked.format,
                "session": checked.session,
                "line": one.line,
                "at": pointer(one.at),
                "message": one.message,
                "rule": one.rule,
                "severity": rules()[one.rule].severity,
                "text": message_of(one),
                "refused_by": list(one.refused_by),
                "next_request": refusal_of(one, checked.format),
            }
            print(json.dumps(found), flush=True)

    def end(self) -> None:
        """Nothing: each line stands alone."""


def pointer(keys: Keys) -> str:
    """The keys as a JSON Pointer."""
    return "".join(f"/{str(key).replace('~', '~0').replace('/', '~1')}" for key in keys)


class SARIFPrinter:
    """One document in SARIF 2.1.0, printed at the end."""

    def __init__(self) -> None:
        self._results: list[Object] = []

    def add(self, checked: Checked) -> None:
        """Keep the findings of a session."""
        for one in checked.findings:
            message = "; ".join(filter(None, [message_of(one), refusal_of(one, checked.format)]))
            self._results.append(sarif_result(rules(), one.rule, message, str(checked.path), one.line))

    def end(self) -> None:
        """Print the document."""
        print(json.dumps(sarif(rules(), self._results), indent=2))


class Sum:
    """Counts files, sessions and findings."""

    def __init__(self) -> None:
        self.files = 0
        self.unknown = 0
        self.sessions = 0
        self.rules: Counter[str] = Counter()
        self._with_findings: Counter[str] = Counter()  # sessions by rule

    def add(self, checked: Checked) -> None:
        """Count a session."""
        self.sessions += checked.is_session
        self.rules.update(one.rule for one in checked.findings)
        self._with_findings.update({one.rule for one in checked.findings})

    def lines(self) -> Sequence[str]:
        """The table by rule, if there are several sessions, and the sum."""
        table = []
        if self.rules and self.sessions > 1:
            table = ["", "rule      findings  sessions"]
            for rule, number in sorted(self.rules.items()):
                table.append(f"{rule:8} {number:>9} {self._with_findings[rule]:>9}  {rules()[rule].title}")
        found = counted(self.rules.total(), "finding") if self.rules else "no findings"
        unknown = f"; {counted(self.unknown, 'file')} in no known format" if self.unknown else ""
        return [*table, f"{found} in {counted(self.sessions, 'session')} of {counted(self.files, 'file')}{unknown}"]
