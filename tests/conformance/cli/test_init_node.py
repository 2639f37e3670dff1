"""`loopspec init node`: what the adapter receives and answers, message by message."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from loopspec.contract.doubles import tool_and_call

from ..begun import begun

Run = Callable[..., list[dict[str, Any]]]  # Any: JSON


def test_a_line_ends_at_a_line_feed_only(tmp_path: Path, node: Run) -> None:
    """A line separator does not end a line, although Node's own line reader would split there."""
    begun("node", tmp_path)
    asked = {"id": "h1", "method": "loader/load", "params": {"case": 1, "files": ["/p/\u2028.md"]}}
    read = {"id": "a1", "result": {"text": "One\u2028two."}}

    request, answer = node(tmp_path, [asked, read])

    assert request["params"] == {"case": 1, "request": {"filePath": "/p/\u2028.md"}}
    assert answer["result"] == {"value": {"sections": [{"path": "/p/\u2028.md", "text": "One\u2028two."}]}}


def test_a_method_that_the_adapter_does_not_know_is_refused(tmp_path: Path, node: Run) -> None:
    """An unknown request gets the error of JSON-RPC, and an unknown notification gets nothing."""
    begun("node", tmp_path, "agent")

    (answer,) = node(tmp_path, {"method": "some/news"}, {"id": "h1", "method": "some/method", "params": {"case": 1}})

    assert (answer["id"], answer["error"]["code"]) == ("h1", -32601)


def test_the_postures_of_an_adapter_are_declared(tmp_path: Path, node: Run) -> None:
    """The answer to `initialize` has them; an adapter without postures has none."""
    begun("node", tmp_path, "agent")
    adapter, hello = tmp_path / "adapter.mjs", {"id": "h1", "method": "initialize"}
    offered = {"params": {"protocolVersions": [3]}}
    posture = {"after-order": {"value": "reversed", "link": "https://example.org"}}

    (without,) = node(tmp_path, {**hello, **offered})
    text = adapter.read_text()
    adapter.write_text(text.replace("  capabilities =", f"  postures = {json.dumps(posture)};\n  capabilities ="))
    (declared,) = node(tmp_path, {**hello, **offered})

    assert without["result"]["postures"] == {}
    assert declared["result"]["postures"] == posture


def test_a_call_that_waits_has_the_information_that_the_harness_reads(tmp_path: Path, node: Run) -> None:
    """Of a tool that needs approval."""
    begun("node", tmp_path, "agent")
    adapter = tmp_path / "adapter.mjs"
    waits = "report.interrupted(Buffer.from('1'), [{ id: 'i', info: waitingCall(tool.name, 'a') }])"
    run = f"async run(a, b, report, c, {{ tools: [tool] }}) {{ if (tool.approval) {waits}; }}\n  async unused("
    text = adapter.read_text().replace("async run(", run)
    adapter.write_text(f"import {{ waitingCall }} from './kit/index.mjs';\n{text}")
    tools = [{"name": "t 1", "kinds": ["invokable"], "approval": True}]
    spec = {"name": "agent", "model": {"name": "m"}, "tools": tools}
    created = {"id": "h1", "method": "agent/create", "params": {"case": 1, "agent": spec}}

    *_, ended = node(tmp_path, created, {"id": "h2", "method": "agent/run", "params": {"case": 1, "handle": "agent1"}})

    (shown,) = ended["result"]["interrupted"]["interrupts"]
    assert tool_and_call(shown["info"]) == ("t 1", "a")


def test_a_resumption_has_the_mode_that_the_caller_requests(tmp_path: Path, node: Run) -> None:
    """The adapter receives the mode of the interrupted run."""
    begun("node", tmp_path, "agent")
    adapter = tmp_path / "adapter.mjs"
    resume = "resume(a, c, d, report, run) { report.final(`streaming ${run.streaming}`); }"
    adapter.write_text(adapter.read_text().replace("  fromWire({", f"  {resume}\n  fromWire({{"))
    spec = {"name": "agent", "model": {"name": "m", "takesTools": True}}
    resumed = {"case": 1, "handle": "agent1", "run": "2", "checkpoint": "", "streaming": True}

    sent = node(
        tmp_path,
        {"id": "h1", "method": "agent/create", "params": {"case": 1, "role": "agent", "agent": spec}},
        {"id": "h2", "method": "agent/resume", "params": resumed},
    )

    assert [one["params"]["text"] for one in sent if one.get("method") == "run/final"] == ["streaming true"]


def test_a_mistake_in_a_conversion_is_a_fault_of_the_adapter(tmp_path: Path, node: Run) -> None:
    """An error of `fromWire` is reported as a fault, so it does not pass for behavior of the framework."""
    begun("node", tmp_path, "agent")
    adapter = tmp_path / "adapter.mjs"
    adapter.write_text(
        adapter.read_text().replace("  fromWire({", "  fromWire() { throw new Error('mine'); }\n  old({")
    )
    spec = {"name": "agent", "model": {"name": "m", "takesTools": True}}
    messages = [{"role": "user", "content": "Hello."}]

    sent = node(
        tmp_path,
        {"id": "h1", "method": "agent/create", "params": {"case": 1, "role": "agent", "agent": spec}},
        {
            "id": "h2",
            "method": "agent/run",
            "params": {"case": 1, "handle": "agent1", "run": "1", "messages": messages},
        },
    )

    faults = [one["params"]["message"] for one in sent if one.get("method") == "adapter/fault"]
    assert faults
    assert str(faults[0]).startswith("Error: mine")


def test_a_request_in_a_closed_scope_is_refused(tmp_path: Path, node: Run) -> None:
    """A request within a call that has an answer gets the error of a closed scope."""
    begun("node", tmp_path, "agent")

    (answer,) = node(tmp_path, {"id": "h1", "method": "next", "params": {"case": 1, "in": "a1"}})

    assert (answer["id"], answer["error"]["code"]) == ("h1", -32011)
