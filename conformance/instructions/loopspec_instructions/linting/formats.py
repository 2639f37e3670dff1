"""The forms in which findings are printed: text, JSON, and the annotations of GitHub."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

import msgspec

from loopspec.engine.output import counted, in_a_line, listed

from .findings import Finding, Report
from .repository import BY_GIT
from .sarif import sarif_of

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


def _json(report: Report) -> str:
    found = msgspec.to_builtins(report)
    return json.dumps(_encodable(found), indent=2, ensure_ascii=False)


def _encodable(value: object) -> object:
    """A value without lone surrogates, which stand for the bytes of a name that is not UTF-8."""
    if isinstance(value, str):
        return value.encode(errors="backslashreplace").decode()
    if isinstance(value, Mapping):
        return {key: _encodable(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_encodable(each) for each in value]
    return value


def _github(report: Report) -> str:
    lines = [_annotation(one, report.path_of(one)) for one in report.findings]
    return "\n".join([*lines, *report.unused, _sum(report)])


def _annotation(one: Finding, path: str) -> str:
    level = _LEVELS[one.severity]
    message = " ".join([one.message, *(f"{difference}." for difference in one.differences)])
    path = _escaped(in_a_line(path)).replace(":", "%3A").replace(",", "%2C")
    return f"::{level} file={path},line={one.line},title={one.rule}::{_escaped(in_a_line(message))}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


FORMATS: Mapping[str, Callable[[Report], str]] = {
    "text": text,
    "json": _json,
    "sarif": lambda report: json.dumps(sarif_of(report), indent=2),
    "github": _github,
}
