"""The same faults in every format: what is wrong does not depend on how it is stored."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import ModuleType

import pytest

from loopspec_check.checking import check_file, check_paths
from loopspec_check.formats import FORMATS
from loopspec_check.history import Format
from loopspec_check.rules import known
from loopspec_check.values import Record

from .writing import WRITERS, Call, History, Said, written

A, B = Call("a"), Call("b", {"at": "b"})
USER, ANSWER, SEEN_A, SEEN_B = Said("user"), Said("assistant"), Said("tool", (A,)), Said("tool", (B,))
CUT_OFF = Call("a", '{"at": ')


def calls(*made: Call) -> Said:
    return Said("assistant", made)


HISTORIES: dict[str, tuple[History, list[str]]] = {
    "sound": ([USER, calls(A), SEEN_A, ANSWER, USER], []),
    "parallel calls, answered in another order": ([USER, calls(A, B), SEEN_B, SEEN_A, USER], []),
    "two rounds": ([USER, calls(A), SEEN_A, calls(B), SEEN_B, ANSWER, USER], []),
    "a result without a call": ([USER, SEEN_A, ANSWER, USER], ["CHECK-03"]),
    "a call without a result": ([USER, calls(A), USER], ["CHECK-01"]),
    "a call without a result at the end": ([USER, calls(A)], ["CHECK-02"]),
    "a result twice": ([USER, calls(A), SEEN_A, SEEN_A, USER], ["CHECK-04"]),
    "a result twice, the second one later": ([USER, calls(A), SEEN_A, USER, SEEN_A, USER], ["CHECK-04"]),
    "a result before its call": ([USER, SEEN_A, calls(A), USER], ["CHECK-07"]),
    "an id that is used again": ([USER, calls(A), SEEN_A, calls(Call("a", {})), SEEN_A, USER], ["CHECK-05"]),
    "a completed call that is repeated": ([USER, calls(A), SEEN_A, calls(A), SEEN_A, USER], ["CHECK-10"]),
    "parallel calls, half answered": ([USER, calls(A, B), SEEN_A, USER], ["CHECK-01"]),
    "a message between a call and its result": ([USER, calls(A), USER, SEEN_A, USER], ["CHECK-06"]),
    "arguments that are cut off": ([USER, calls(CUT_OFF), SEEN_A, USER], ["CHECK-08"]),
    "no user message at the beginning": ([calls(A), SEEN_A, ANSWER, USER], ["CHECK-15"]),
}
# What is not wrong, or otherwise wrong, in the request that is made from a format; or cannot be stored in it.
DIFFERENT = {
    ("claude-code", "a message between a call and its result"): [],  # results are sent first
    ("pydantic-ai", "a message between a call and its result"): [],  # results are sent first
    ("pydantic-ai", "arguments that are cut off"): [],  # are sent in an object
    ("ai-sdk", "arguments that are cut off"): [],  # are those of a tool that takes a text
    ("opencode", "a message between a call and its result"): [],
    ("opencode", "a result without a call"): [],
    ("opencode", "a result twice"): [],
    ("opencode", "a result twice, the second one later"): [],
    ("opencode", "a result before its call"): ["CHECK-01"],
    ("otel", "arguments that are cut off"): [],  # what a span contains may be cut off
    ("otel", "a result without a call"): [],  # the history can be kept by the provider
    ("otel", "a call without a result at the end"): ["CHECK-01"],  # an answer was asked for
}


@pytest.mark.parametrize("history", HISTORIES)
@pytest.mark.parametrize("name", WRITERS)
def test_a_history_is_judged_in_each_format(name: str, history: str, tmp_path: Path) -> None:
    said, expected = HISTORIES[history]
    path = tmp_path / "history.jsonl"
    path.write_text(written(name, said))

    checked = [*check_file(path, None, tuple(known().providers))]

    assert {one.format for one in checked} == {name}
    assert [finding.rule for one in checked for finding in one.findings] == DIFFERENT.get((name, history), expected)


def test_each_format_has_a_writer() -> None:
    assert WRITERS.keys() == FORMATS.keys()


def test_each_file_of_a_folder_has_its_own_format(tmp_path: Path) -> None:
    said, expected = HISTORIES["parallel calls, half answered"]
    for name in WRITERS:
        (tmp_path / f"{name}.jsonl").write_text(written(name, said))

    checked = [one for one in check_paths([tmp_path], None, ()) if one.is_session]

    assert {one.path.stem: one.format for one in checked} == dict(zip(WRITERS, WRITERS, strict=True))
    assert all([finding.rule for finding in one.findings] == expected for one in checked)


def test_the_reader_in_the_readme_is_whole_and_short(tmp_path: Path) -> None:
    readme = (Path(__file__).parents[2] / "conformance/check/README.md").read_text(encoding="utf-8")
    [code] = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    module = ModuleType("loopspec_check.formats.example")
    module.__package__ = "loopspec_check.formats"
    exec(code, module.__dict__)
    example = module.__dict__["FORMAT"]
    assert isinstance(example, Format)
    lines = [{"by": "person", "says": "?"}, {"by": "bot", "says": "!", "uses": [{"id": "a", "tool": "t"}]}]
    path = tmp_path / "example.jsonl"

    for end, expected in [({"by": "tool", "of": "a", "says": "x"}, []), ({"by": "person", "says": "?"}, ["CHECK-01"])]:
        path.write_text("".join(json.dumps(line) + "\n" for line in [*lines, end]))
        found = [finding.rule for one in check_file(path, example, ()) for finding in one.findings]
        assert found == expected
    assert example.recognizes(Record(lines[0]))
    assert len(code.splitlines()) <= 40
