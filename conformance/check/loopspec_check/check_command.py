"""`loopspec check`: findings as text, as JSON lines and as SARIF. Contents are printed only if asked for."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from loopspec.contract.faults import UsageError
from loopspec.contract.names import did_you_mean
from loopspec.engine.output import counted, in_a_line, listed, print_no_more
from loopspec.reports.sarif import Object, sarif, sarif_result

from .checking import Checked, check_paths
from .formats import FORMATS
from .history import Entry
from .judging import Finding
from .rules import Stored, known

_LONGEST = 80  # characters of a name or an id
_LONGEST_QUOTE = 200
_LONGEST_PATH = 500
_OPEN = ("CHECK-01", "CHECK-02")  # the rules of calls without a result


def check(args: argparse.Namespace) -> int:
    """Print the findings as they are found, and then their sum. Return 1 if there are any."""
    for name, names in ((args.format, FORMATS), *((name, known().providers) for name in args.provider)):
        if name and name not in names:
            raise UsageError(f"there is no {name!r}{did_you_mean(name, names, 'one of ' + ', '.join(names))}")
    total = _Sum()
    results: list[Object] = []
    try:
        for checked in check_paths(args.paths, FORMATS.get(args.format), args.provider):
            total.add(checked)
            if args.sarif:
                results += _as_sarif(checked)
            else:
                for line in _as_json(checked) if args.json else _as_text(checked, quote=args.quote):
                    print(line, flush=True)
            if not checked.is_session and total.files % 100 == 0 and sys.stderr.isatty():
                print(f"\r{total.files} files", end="\r", file=sys.stderr, flush=True)
        if args.sarif:
            print(json.dumps(sarif(known().rules, results), indent=2))
        elif not args.json:
            print("\n".join(total.lines()), flush=True)
    except BrokenPipeError:  # the reader has left; the exit code is still that of the findings
        print_no_more()
    return 1 if total.rules else 0


def _as_text(checked: Checked, *, quote: bool) -> Iterator[str]:
    """The lines of each finding: its place, the entries around it, what the next request meets, and what to do."""
    name = f" (session {_plain(checked.session)})" if checked.session else ""
    path = _plain(str(checked.path), _LONGEST_PATH)
    for one in checked.findings:
        rule = known().rules[one.rule]
        yield f"{path}:{one.line}: {rule.severity} {one.rule} {_message(one)}{name}"
        for entry in one.context:
            mark = ">" if (entry.line, entry.at) == (one.line, one.at) else " "
            yield f"  {mark} {entry.line:>5}  {_said(entry, quote=quote)}"
        if refusal := _refusal(one, checked.format):
            yield f"    {refusal}"
        yield f"    what to do: {rule.fix}"


def _as_json(checked: Checked) -> Iterator[str]:
    """A JSON object for each finding. `at` is a JSON Pointer."""
    for one in checked.findings:
        yield json.dumps(
            {
                "path": str(checked.path),
                "format": checked.format,
                "session": checked.session,
                "line": one.line,
                "at": "".join(f"/{str(key).replace('~', '~0').replace('/', '~1')}" for key in one.at),
                "message": one.message,
                "rule": one.rule,
                "severity": known().rules[one.rule].severity,
                "text": _message(one),
                "refused_by": list(one.refused_by),
                "next_request": _refusal(one, checked.format),
            }
        )


def _as_sarif(checked: Checked) -> Iterator[Object]:
    for one in checked.findings:
        message = "; ".join(filter(None, [_message(one), _refusal(one, checked.format)]))
        yield sarif_result(known().rules, one.rule, message, str(checked.path), one.line)


def _message(finding: Finding) -> str:
    values = {key: _plain(value) for key, value in finding.values.items()}
    key, name = values.get("id"), values.get("name")
    call = f"the call {key}" if key else "a call"
    values["call"] = f"{call} of {name}" if name else call
    values["result"] = f"the result of {key or name}" if key or name else "a result"
    return known().rules[finding.rule].message.format(**values)


def _refusal(finding: Finding, read_as: str) -> str:
    """What the next request meets, of a history that is read as a format; empty if nothing is known."""
    if finding.rule in _OPEN and (repair := known().formats.get(read_as, Stored()).repair):
        return f"the next request: {repair}"
    names = [known().providers[name].title for name in finding.refused_by]
    return f"the next request: {listed(names)} {'refuses' if len(names) == 1 else 'refuse'} it" if names else ""


def _said(entry: Entry, *, quote: bool) -> str:
    more = [_plain(entry.name), _plain(entry.id), entry.status] if entry.kind in ("call", "result") else []
    what = " ".join(filter(None, [entry.kind, *more]))
    return f"message {entry.message}: {what}{' ' + _plain(entry.content, _LONGEST_QUOTE) if quote else ''}"


def _plain(value: object, longest: int = _LONGEST) -> str:
    """A value in one line: control characters are escaped, and a long text is cut."""
    try:
        line = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    except (msgspec.EncodeError, UnicodeEncodeError, RecursionError):
        line = "…"
    return in_a_line(line[:longest] + ("…" if len(line) > longest else ""))


class _Sum:
    """Counts files, sessions and findings."""

    def __init__(self) -> None:
        self.files = self._unknown = self._sessions = 0
        self.rules: Counter[str] = Counter()
        self._with_findings: Counter[str] = Counter()  # sessions by rule

    def add(self, checked: Checked) -> None:
        self._sessions += checked.is_session
        self.files += not checked.is_session
        self._unknown += not (checked.format or checked.findings)
        self.rules.update(one.rule for one in checked.findings)
        self._with_findings.update({one.rule for one in checked.findings})

    def lines(self) -> Sequence[str]:
        """The table by rule, if there are several sessions, and the sum."""
        table = []
        if self.rules and self._sessions > 1:
            table = ["", "rule      findings  sessions"]
            for rule, number in sorted(self.rules.items()):
                table.append(f"{rule:8} {number:>9} {self._with_findings[rule]:>9}  {known().rules[rule].title}")
        found = counted(self.rules.total(), "finding") if self.rules else "no findings"
        unknown = f"; {counted(self._unknown, 'file')} in no known format" if self._unknown else ""
        return [*table, f"{found} in {counted(self._sessions, 'session')} of {counted(self.files, 'file')}{unknown}"]
