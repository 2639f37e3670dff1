"""The same faults in every format: what is wrong does not depend on how it is stored."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import ModuleType

import pytest

from loopspec_check.checking import check_file
from loopspec_check.history import Format
from loopspec_check.rules import providers
from loopspec_check.values import Record

from .writing import WRITERS, Call, answer, result, user

A, B = Call("a"), Call("b", arguments={"at": "b"})

HISTORIES = {
    "sound": ([user(), answer(A), result(A), answer(), user()], []),
    "parallel calls, answered in another order": ([user(), answer(A, B), result(B), result(A), user()], []),
    "two rounds": ([user(), answer(A), result(A), answer(B), result(B), answer(), user()], []),
    "a result without a call": ([user(), result(A), answer(), user()], ["CHECK-03"]),
    "a call without a result": ([user(), answer(A), user()], ["CHECK-01"]),
    "a call without a result at the end": ([user(), answer(A)], ["CHECK-02"]),
    "a result twice": ([user(), answer(A), result(A), result(A), user()], ["CHECK-04"]),
    "a result twice, the second one later": ([user(), answer(A), result(A), user(), result(A), user()], ["CHECK-04"]),
    "a result before its call": ([user(), result(A), answer(A), user()], ["CHECK-07"]),
    "an id that is used again": (
        [user(), answer(A), result(A), answer(B._replace(id="a")), result(A), user()],
        ["CHECK-05"],
    ),
    "a completed call that is repeated": ([user(), answer(A), result(A), answer(A), result(A), user()], ["CHECK-10"]),
    "parallel calls, half answered": ([user(), answer(A, B), result(A), user()], ["CHECK-01"]),
    "a message between a call and its result": ([user(), answer(A), user(), result(A), user()], ["CHECK-06"]),
    "arguments that are cut off": ([user(), answer(A._replace(arguments='{"at": ')), result(A), user()], ["CHECK-08"]),
    "no user message at the beginning": ([answer(A), result(A), answer(), user()], ["CHECK-15"]),
}
# What is not wrong, or otherwise wrong, in the request that is made from a format.
DIFFERENT = {
    ("claude-code", "a message between a call and its result"): [],  # results are sent first
    ("pydantic-ai", "a message between a call and its result"): [],  # results are sent first
    ("pydantic-ai", "arguments that are cut off"): [],  # are sent in an object
    ("ai-sdk", "arguments that are cut off"): [],  # are those of a tool that takes a text
    ("otel", "arguments that are cut off"): [],  # what a span contains may be cut off
    ("otel", "a result without a call"): [],  # the history can be kept by the provider
    ("otel", "a call without a result at the end"): ["CHECK-01"],  # an answer was asked for
}


@pytest.mark.parametrize("history", HISTORIES)
@pytest.mark.parametrize("name", WRITERS)
def test_a_history_is_judged_in_each_format(name: str, history: str, tmp_path: Path) -> None:
    said, expected = HISTORIES[history]
    path = tmp_path / "history.jsonl"
    path.write_text("".join(json.dumps(value) + "\n" for value in WRITERS[name](said)))

    checked = [*check_file(path, None, tuple(providers()))]

    assert {one.format for one in checked} == {name}
    assert [finding.rule for one in checked for finding in one.findings] == DIFFERENT.get((name, history), expected)


def test_the_reader_in_the_readme_is_whole_and_short(tmp_path: Path) -> None:
    readme = (Path(__file__).parents[2] / "conformance/check/README.md").read_text(encoding="utf-8")
    [code] = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    module = ModuleType("loopspec_check.formats.example")
    module.__package__ = "loopspec_check.formats"
    exec(code, module.__dict__)
    example = module.__dict__["EXAMPLE"]
    assert isinstance(example, Format)
    lines = [{"by": "person", "says": "?"}, {"by": "bot", "says": "!", "uses": [{"id": "a", "tool": "t"}]}]
    path = tmp_path / "example.jsonl"

    for end, expected in [({"by": "tool", "of": "a", "says": "x"}, []), ({"by": "person", "says": "?"}, ["CHECK-01"])]:
        path.write_text("".join(json.dumps(line) + "\n" for line in [*lines, end]))
        found = [finding.rule for one in check_file(path, example, ()) for finding in one.findings]
        assert found == expected
    assert example.recognizes(Record(lines[0]))
    assert len(code.splitlines()) <= 40
