"""Callbacks about failed model calls, and their answers."""

from __future__ import annotations

from loopspec import ScriptedError
from loopspec.contract.agents import Agent, Retry
from loopspec.contract.scene import Run, Scene
from loopspec.contract.values import Called
from loopspec.stage import LiveStage

from ..staging import staged

E, F = ScriptedError("E"), ScriptedError("F")
RUN = Run(id="1")


def test_a_retry_is_waited_for_once_its_delay_is_known() -> None:
    """The gate opens when the wait begins; another wait opens nothing."""
    gate = Called(double="back-off", run="1")

    async def steps(stage: LiveStage) -> None:
        opened: list[str] = []
        stage.record.gates.when(gate, lambda: opened.append("now"))
        with stage.runs.running(RUN):
            await stage.recovery.sleep(1.0)
            stage.recovery.delay("agent", 1)
            assert opened == []
            await stage.recovery.sleep(1.0)
            assert opened == ["now"]

    staged(Scene(act="run", agent=Agent(retry=Retry(delays=True))), steps)
