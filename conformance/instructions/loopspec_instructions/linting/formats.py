"""The forms in which findings are printed: text, JSON, SARIF, and the annotations of GitHub."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

import msgspec

from loopspec.engine.output import counted, in_a_line, listed
from loopspec.engine.result import encoded
from loopspec.reports.sarif import Object, sarif, sarif_result

from .findings import Finding, Report
from .repository import BY_GIT
from .rules import rules

_MOST_NAMED = 5  # entries that are left out, in one line
_LEVELS = {"error": "error", "warning": "warning", "note": "notice"}


def text(report: Report) -> str:
    """One line per finding, and a last line with the number."""
    lines = []
    for one in report.findings:
        lines.append(f"{in_a_line(one.path)}:{one.line}: {one.severity} {one.rule} {in_a_line(one.message)}")
        lines += [f"    {in_a_line(difference)}" for difference in one.differences]
    lines += report.unused
    return "\n".join([*lines, _sum(report), *map(in_a_line, _not_checked(report))])


def _not_checked(report: Report) -> list[str]:
    """What is not checked: files that no rule is about, and what is left out."""
    lines = []
    if report.unchecked:
        kinds = [f"{kind} ({counted(len(paths), 'file')})" for kind, paths in report.unchecked.items()]
        lines.append(f"not checked: {', '.join(kinds)}")
    named = [f"{path} ({why})" for path, why in report.left_out.items() if why != BY_GIT]
    others = len(report.left_out) - len(named)
    if len(named) > _MOST_NAMED:
        named[_MOST_NAMED:] = [counted(len(named) - _MOST_NAMED, "other entry", "other entries")]
    if others:
        named.append(f"{counted(others, 'entry', 'entries')} that Git ignores")
    if named:
        lines.append(f"left out: {listed(named)}")
    return lines


def _sum(report: Report) -> str:
    if not report.tools:
        return "no file has the name of an instruction file"
    tools = ", ".join(report.tools)
    ignored = f", {len(report.suppressed)} ignored" if report.suppressed else ""
    found = counted(len(report.findings), "finding") if report.findings else "no findings"
    files = counted(report.files, "instruction file")
    return f"{found}{ignored} in {files}, as read by {tools}"


def _github(report: Report) -> str:
    lines = [_annotation(one, report.path_of(one)) for one in report.findings]
    return "\n".join([*lines, *report.unused, _sum(report)])


def _annotation(one: Finding, path: str) -> str:
    path = _escaped(in_a_line(path)).replace(":", "%3A").replace(",", "%2C")
    return f"::{_LEVELS[one.severity]} file={path},line={one.line},title={one.rule}::{_escaped(in_a_line(_whole(one)))}"


def _whole(one: Finding) -> str:
    """The message, and the differences between tools and their documents, each as a sentence."""
    return " ".join([one.message, *(f"{difference}." for difference in one.differences)])


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _sarif(report: Report) -> str:
    """One run with all rules. An ignored finding is a suppressed result with the reason."""
    results = [_result(one, report.path_of(one)) for one in report.findings]
    for ignored in report.suppressed:
        result = _result(ignored.finding, report.path_of(ignored.finding))
        result["suppressions"] = [{"kind": "external", "justification": ignored.reason}]
        results.append(result)
    return json.dumps(sarif(rules(), results), indent=2)


def _result(one: Finding, path: str) -> Object:
    result = sarif_result(rules(), one.rule, _whole(one), path, one.line)
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    result["partialFingerprints"] = {"loopspec/v1": f"{one.rule}:{uri}:{','.join(one.tools)}"}
    result["properties"] = {"tools": list(one.tools)}
    return result


FORMATS: Mapping[str, Callable[[Report], str]] = {
    "text": text,
    "json": lambda report: msgspec.json.format(encoded(report), indent=2).decode(),
    "sarif": _sarif,
    "github": _github,
}
