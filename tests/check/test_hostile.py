"""Files that are torn, huge or hostile: one sentence each, no traceback, and the rest of the file is judged."""

from __future__ import annotations

import errno
import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

from loopspec_check import sources
from loopspec_check.checking import check_file
from loopspec_check.formats import FORMATS
from loopspec_check.judging import judged
from loopspec_check.values import Record

from ..conformance.cli.in_process import said
from .planting import recordings

USER = b'{"role": "user", "content": "Hello."}\n'
ANSWER = b'{"role": "assistant", "content": "Hello."}\n'
CALL = b'{"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "look", "arguments": "%s"}}]}\n'
DEEP = b"[" * 10_000 + b"]" * 10_000

# The name of the file, its bytes, and what is found: the line, the rule and a part of the sentence.
FILES: dict[str, tuple[bytes, list[str]]] = {
    "half_a_line.jsonl": (USER + ANSWER[:20], ["2: warning CHECK-21 the file ends within a line"]),
    "broken_line.jsonl": (USER + b'{"role":\n' + ANSWER, ["2: error CHECK-20 this is not JSON"]),
    "broken_in_line_3.json": (b"[\n" + USER + b"x\n]", ["3: error CHECK-20 this is not JSON"]),
    "characters_of_two_bytes.json": ('[\n{"é": "éééééé",\n"b": 1,\n'.encode(), ["4: error CHECK-20 this is not JSON"]),
    "nested.json": (DEEP, ["1: error CHECK-20 the value is nested too deep"]),
    "nested_line.jsonl": (USER + DEEP + b"\n" + ANSWER, ["2: error CHECK-20 the value is nested too deep"]),
    "utf_16.json": ('[{"role": "user"}]'.encode("utf-16"), ["1: error CHECK-20 the file is UTF-16"]),
    "utf_16_lines.jsonl": ((USER + ANSWER).decode().encode("utf-16-be"), ["1: error CHECK-20 the file is UTF-16-BE"]),
    "utf_32_lines.jsonl": ((USER + ANSWER).decode().encode("utf-32"), ["1: error CHECK-20 the file is UTF-32"]),
    "latin_1.jsonl": (USER + b'{"role": "user", "content": "caf\xe9"}\n', ["2: error CHECK-20 byte 33 is not UTF-8"]),
    "twice.jsonl": (USER + ANSWER[:-2] + b', "role": "user"}\n', ["2: warning CHECK-22 an object has the key role "]),
    "spaces.jsonl": (USER + b'{"role" : "user", "content" : "x", "content" : "\\u003a"}\n', ["2: warning CHECK-22 "]),
    "empty.json": (b"", ["1: error CHECK-20 the file is empty"]),
    "binary.json": (bytes(range(256)), ["1: error CHECK-20 "]),
    "byte_order_mark.json": (b"\xef\xbb\xbf[" + USER + b"]", []),
    "half_a_surrogate.jsonl": (USER + b'{"role": "assistant", "content": "\\ud83d"}\n', []),
    "arguments.jsonl": (USER + CALL % rb"{\"path\": \"\ud83d\"}", ["2: warning CHECK-02 "]),
    "not_a_number.jsonl": (USER + b'{"role": "assistant", "content": "x", "score": NaN}\n', []),
    "many_digits.jsonl": (USER + b'{"role": "assistant", "content": "x", "score": %s}\n' % (b"9" * 5000), []),
    "many_digits_twice.jsonl": (
        USER + b'{"role": "assistant", "content": "x", "a": %s, "a": 1}\n' % (b"9" * 5000),
        ["2: warning CHECK-22 an object has the key a twice"],
    ),
    "only_a_mark.json": (b"\xef\xbb\xbf", ["1: error CHECK-20 the file is empty"]),
    "pretty.jsonl": (b"[\n" + USER + b",\n" + ANSWER + b"]", []),
    "a_list.jsonl": (b"[" + USER.strip() + b",\n" + ANSWER + b"]", []),
}


@pytest.mark.parametrize("name", FILES)
def test_a_hostile_file_is_a_sentence(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content, expected = FILES[name]
    path = tmp_path / name
    path.write_bytes(content)

    found = [line.removeprefix(f"{path}:") for line in said(capsys, "check", str(path), code=1 if expected else 0)]

    assert [line for line in found if " CHECK-" in line and not line.startswith(expected[0] if expected else "-")] == []
    assert len([line for line in found if " CHECK-" in line]) == len(expected)


def test_a_line_that_is_too_long_costs_that_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sources, "LONGEST_LINE", 1000)
    path = tmp_path / "long.jsonl"
    path.write_bytes(USER + b'"' + b"x" * 5000 + b'"\n' + ANSWER)

    lines = said(capsys, "check", str(path), code=1)

    assert lines[0].endswith(":2: error CHECK-20 the line is longer than 0 MiB, and is left out")
    assert lines[-1] == "1 finding in 1 session of 1 file"


def test_what_cannot_be_read_in_a_folder_is_a_finding_and_the_rest_is_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Links are no files of their own: a loop of links ends."""
    for name in ("a.jsonl", "b.jsonl", "closed/c.jsonl"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(USER + ANSWER)
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "loop.json").symlink_to("loop.json")
    refuse(monkeypatch, Path, "open", "b.jsonl")
    refuse(monkeypatch, os, "scandir", "closed")

    assert [line for line in said(capsys, "check", str(tmp_path), code=1) if "what to do" not in line] == [
        f"{tmp_path}/b.jsonl:1: error CHECK-20 the file cannot be read: Permission denied",
        f"{tmp_path}/closed:1: error CHECK-20 the folder cannot be read: Permission denied",
        "2 findings in 1 session of 3 files",
    ]


def refuse(monkeypatch: pytest.MonkeyPatch, owner: Any, function: str, name: str) -> None:
    """Let a function fail for a path with the name, as for a user without rights: root has them all."""
    right = getattr(owner, function)

    def refusing(path: Any, *arguments: Any) -> Any:
        if Path(path).name == name:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return right(path, *arguments)

    monkeypatch.setattr(owner, function, refusing)


def test_forged_ids_and_names_cannot_write_to_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = {"id": "a\n\x1b[31m" + "x" * 5000, "function": {"name": "\u202e{id}{0.__class__}", "arguments": "{}"}}
    path = tmp_path / "forged.json"
    path.write_text(json.dumps([{"role": "user", "content": "x"}, {"role": "assistant", "tool_calls": [call]}]))

    lines = said(capsys, "check", str(path), code=1)

    assert all(line.isprintable() and len(line) < 700 for line in lines)
    assert "\\u202e{id}{0.__class__}" in lines[0]


VALUES: list[Any] = [None, True, -1, 1e9, "", "x", "{}", [], {}, [[]], {"a": []}, ["x"], [None], {"role": "user"}]


def damaged(value: Any, chance: random.Random) -> Any:
    """The value with some of its parts replaced, left out or repeated."""
    if chance.random() < 0.03:
        return chance.choice(VALUES)
    if isinstance(value, dict):
        return {key: damaged(each, chance) for key, each in value.items() if chance.random() > 0.02}
    if isinstance(value, list):
        return [damaged(each, chance) for each in value for _ in range(chance.choice((1, 1, 1, 1, 1, 1, 0, 2)))]
    return value


@pytest.mark.parametrize("recording", recordings())
def test_no_reader_fails_on_a_damaged_recording(recording: str) -> None:
    """Every format reads it: a file can be in a format that was not meant."""
    path, chance = recordings()[recording], random.Random(recording)
    records = list(sources.read(path, lambda _: None)[0])

    for _ in range(5):
        values = [Record(damaged(record.value, chance), record.line) for record in records]
        for one in FORMATS.values():
            any(map(one.recognizes, values))
            one.accepts(values)
            for session in one.sessions(iter(values)):
                judged(session, ())


@pytest.mark.parametrize("name", FORMATS)
def test_no_reader_fails_on_any_value(name: str) -> None:
    for value in VALUES:
        FORMATS[name].recognizes(Record(value))
        FORMATS[name].accepts([Record(value)])
        for session in FORMATS[name].sessions(iter([Record(value), Record(value, 2)])):
            judged(session, ())


def test_many_open_calls_take_time_in_proportion(tmp_path: Path) -> None:
    """A call that waits costs nothing at each message that follows: ten thousand are judged as ten are."""
    calls = [{"id": f"c{n}", "function": {"name": "t", "arguments": "{}"}} for n in range(10_000)]
    messages: list[Any] = [{"role": "user", "content": "x"}, {"role": "assistant", "tool_calls": calls}]
    messages += [{"role": "user", "content": "x"}] * 10_000
    path = tmp_path / "open.json"
    path.write_text(json.dumps(messages))

    assert sum(len(one.findings) for one in check_file(path, None, ())) == 10_000
