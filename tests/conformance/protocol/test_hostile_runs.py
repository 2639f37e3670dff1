"""Misbehaviors of an adapter in the second run of an agent: each is the adapter's fault, in one sentence."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from loopspec import AdapterError
from loopspec.contract.scene import Run, Scene
from loopspec.engine.perform import perform
from loopspec.targets.process.target import ProcessTarget

from ..staging import ONE
from .hostile.scripted import scripted


def message(method: str, run: str = "2", **params: object) -> dict[str, object]:
    """A message about a run."""
    return {"method": method, "params": {"case": 1, "run": run, **params}}


EVENT = message("run/event", agent="agent", stream=4)


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        ([message("run/event", "1", agent="agent")], "sent an event of run 1 after the run was over"),
        ([message("run/final", "1", text="x")], "sent the final answer of run 1 after the run was over"),
        ([message("run/event", "3", agent="agent")], "sent an event of the run '3', which has not begun"),
        ([EVENT, EVENT], "began the stream 4 of run 2 twice"),
        ([message("run/chunk", stream=7)], "sent a chunk of stream 7 of run 2, which is not open"),
        ([EVENT, {"result": {}}], "ended run 2 before its stream 4"),
        (
            [{"id": "a1", **message("stream/next", stream="s9")}],
            "asked for a chunk of the stream 's9', which has ended or has never begun",
        ),
        (
            [{"id": "a1", **message("plugin/create", strategy="9.9", node="n", agent="agent", options={})}],
            "called the factory of the strategy '9.9', which is unknown",
        ),
    ],
)
def test_a_misbehavior_in_a_run_is_one_sentence(messages: list[object], said: str, tmp_path: Path) -> None:
    """The first run has no events, and succeeds."""
    answers = {
        "agent/create": '[{"result": {"value": "a"}}]',
        "agent/run": f'json.loads({json.dumps(messages)!r}) if params["run"] == "2" else [{{"result": {{}}}}]',
    }
    scene = Scene(act="run", runs=(ONE, Run(id="2")))

    target = ProcessTarget(scripted(tmp_path, {"roles": ["agent"]}, answers))
    with closing(target), pytest.raises(AdapterError) as error:
        perform(target, scene, "agent", 5.0)

    assert str(error.value) == f"the adapter {said}"
