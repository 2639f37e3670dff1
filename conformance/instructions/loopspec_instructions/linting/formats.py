"""The forms in which findings are printed: text, JSON, and the annotations of GitHub."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

import msgspec

from .findings import Finding, Report
from .sarif import sarif

_LEVELS = {"error": "error", "warning": "warning", "note": "notice"}


def text(report: Report) -> str:
    """One line per finding, and a last line with the number."""
    lines = []
    for one in report.findings:
        lines.append(f"{_plain(one.path)}:{one.line}: {one.severity} {one.rule} {_plain(one.message)}")
        lines += [f"    {_plain(difference)}" for difference in one.differences]
    lines += report.unused
    return "\n".join([*lines, _sum(report)])


def _sum(report: Report) -> str:
    if not report.tools:
        return "no file has the name of an instruction file"
    tools = ", ".join(report.tools)
    ignored = f", {len(report.suppressed)} ignored" if report.suppressed else ""
    number = len(report.findings)
    found = "no findings" if not number else "1 finding" if number == 1 else f"{number} findings"
    files = "1 instruction file" if report.files == 1 else f"{report.files} instruction files"
    return f"{found}{ignored} in {files}, as read by {tools}"


def _plain(text: str) -> str:
    """A text in one line: control characters and bytes that are no characters are escaped."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


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
    path = _escaped(_plain(path)).replace(":", "%3A").replace(",", "%2C")
    return f"::{level} file={path},line={one.line},title={one.rule}::{_escaped(_plain(message))}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


FORMATS: Mapping[str, Callable[[Report], str]] = {
    "text": text,
    "json": _json,
    "sarif": lambda report: json.dumps(sarif(report), indent=2),
    "github": _github,
}
