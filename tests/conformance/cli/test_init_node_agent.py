"""`loopspec init node --role agent` writes a kit, and an adapter on the kit that can be judged unchanged."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from ..begun import longest
from ..process import reported, run_loopspec

KIT = Path(__file__).parents[3] / "conformance" / "kits" / "node"


def _dict(message: object) -> dict[str, object]:
    assert isinstance(message, dict)
    return message


def _begun(folder: Path) -> tuple[list[str], list[str]]:
    """The names of the written files, and the arguments of the next command."""
    *lines, now = run_loopspec(folder, "init", "node", "--role", "agent").said.splitlines()
    wrote = [line.removeprefix("wrote ") for line in lines if line.startswith("wrote ")]
    return wrote, shlex.split(now.removeprefix("now: loopspec "))


def test_the_kit_is_written_unchanged(tmp_path: Path) -> None:
    """Each file of the kit is copied; a file is short and narrow."""
    wrote, now = _begun(tmp_path)

    files = {path.relative_to(KIT).as_posix(): path.read_bytes() for path in KIT.rglob("*") if path.is_file()}
    assert wrote == [*sorted(files), "loopspec-baseline.toml", "loopspec-ci.yml"]
    assert {name: (tmp_path / name).read_bytes() for name in files} == files
    assert now == ["run", "cmd:node adapter.mjs", "--baseline", "loopspec-baseline.toml"]
    lines, width = longest(tmp_path, [name for name in files if name.endswith(".mjs")])
    assert lines <= 300
    assert width <= 120


def test_no_file_is_overwritten(tmp_path: Path) -> None:
    """A file that exists stops the command before anything is written."""
    (tmp_path / "loop.mjs").write_text("mine")

    ended = run_loopspec(tmp_path, "init", "node", "--role", "agent")

    assert ended.code == 2
    assert (tmp_path / "loop.mjs").read_text() == "mine"
    assert not (tmp_path / "kit").exists()


def test_a_method_that_the_adapter_does_not_know_is_refused(
    tmp_path: Path, node: Callable[..., list[dict[str, object]]]
) -> None:
    """An unknown request gets the error of JSON-RPC, and an unknown notification gets nothing."""
    _begun(tmp_path)

    (answer,) = node(tmp_path, {"method": "some/news"}, {"id": "h1", "method": "some/method", "params": {"case": 1}})

    assert (answer["id"], _dict(answer["error"])["code"]) == ("h1", -32601)


def test_the_postures_of_an_adapter_are_declared(tmp_path: Path, node: Callable[..., list[dict[str, object]]]) -> None:
    """The answer to `initialize` has them; an adapter without postures has none."""
    _begun(tmp_path)
    adapter, hello = tmp_path / "adapter.mjs", {"id": "h1", "method": "initialize"}
    offered = {"params": {"protocolVersions": [3]}}
    posture = {"after-order": {"value": "reversed", "link": "https://example.org"}}

    (without,) = node(tmp_path, {**hello, **offered})
    text = adapter.read_text()
    adapter.write_text(text.replace("  capabilities =", f"  postures = {json.dumps(posture)};\n  capabilities ="))
    (declared,) = node(tmp_path, {**hello, **offered})

    assert _dict(without["result"])["postures"] == {}
    assert _dict(declared["result"])["postures"] == posture


def test_a_resumption_has_the_mode_that_the_caller_requests(
    tmp_path: Path, node: Callable[..., list[dict[str, object]]]
) -> None:
    """The adapter receives the mode of the interrupted run."""
    _begun(tmp_path)
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

    assert [_dict(one["params"])["text"] for one in sent if one.get("method") == "run/final"] == ["streaming true"]


def test_a_mistake_in_a_conversion_is_a_fault_of_the_adapter(
    tmp_path: Path, node: Callable[..., list[dict[str, object]]]
) -> None:
    """An error of `fromWire` is reported as a fault, so it does not pass for behavior of the framework."""
    _begun(tmp_path)
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

    faults = [_dict(one["params"])["message"] for one in sent if one.get("method") == "adapter/fault"]
    assert faults
    assert str(faults[0]).startswith("Error: mine")


def test_a_request_in_a_closed_scope_is_refused(tmp_path: Path, node: Callable[..., list[dict[str, object]]]) -> None:
    """A request within a call that has an answer gets the error of a closed scope."""
    _begun(tmp_path)

    (answer,) = node(tmp_path, {"id": "h1", "method": "next", "params": {"case": 1, "in": "a1"}})

    assert (answer["id"], _dict(answer["error"])["code"]) == ("h1", -32011)


@pytest.mark.long
def test_the_adapter_is_judged_unchanged(tmp_path: Path, node: Callable[..., list[dict[str, object]]]) -> None:
    """The loop of a page passes most of its cases, and the adapter causes no error."""
    _, now = _begun(tmp_path)

    ended = run_loopspec(tmp_path, *now, "-n", "2", "--report", "report.jsonl")
    report = reported(tmp_path / "report.jsonl")

    verdicts = list(report.verdicts.values())
    assert (ended.code, report.run.identity.name, report.run.roles) == (1, "my agent", ("agent",))
    assert set(verdicts) <= {"passed", "failed", "inapplicable"}
    assert verdicts.count("passed") >= 120
    assert verdicts.count("passed") > 5 * verdicts.count("failed")


@pytest.mark.long
def test_the_doctor_accepts_the_adapter(tmp_path: Path, node: Callable[..., list[dict[str, object]]]) -> None:
    """The doctor accepts the adapter unchanged, from the handshake to the smoke cases."""
    _, now = _begun(tmp_path)

    ended = run_loopspec(tmp_path, "doctor", now[1])

    assert (ended.code, ended.said.splitlines()[-1]) == (0, "The smoke cases pass; `loopspec run` judges the others.")
