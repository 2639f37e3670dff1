"""Realistic bugs about what two runs of one agent, or a run and its resumption, have in common."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference.loop import agents
from loopspec_reference.loop.agents import Agent
from loopspec_reference.runs.checkpoints import Checkpoint
from loopspec_reference.runs.run import Run, current_run
from loopspec_reference.values.instructions import render
from loopspec_reference.values.messages import AnyMessage, Json

from ..registry import bug


@bug("HOOK-BA-04")
def keeps_the_instruction_with_the_agent() -> AbstractContextManager[object]:
    """Keeps the instruction that hooks have made with the agent, and reads it after something else was awaited."""
    begin = Agent._begin
    kept: dict[Agent[AnyMessage], str] = {}

    async def begins(self: Agent[AnyMessage], run: Run) -> Any:  # Any: the private start of a run
        start = await begin(self, run)
        kept[self] = start.instruction
        await asyncio.sleep(0)
        return replace(start, instruction=kept[self])

    return patch.object(Agent, "_begin", begins)


@bug("HOOK-BA-04")
def keeps_return_directly_with_the_agent() -> AbstractContextManager[object]:
    """Keeps the return-directly tools that hooks have chosen with the agent, and reads them at the tool calls."""
    begin, act = Agent._begin, Agent._act
    kept: dict[Agent[AnyMessage], frozenset[str]] = {}

    async def begins(self: Agent[AnyMessage], run: Run) -> Any:  # Any: the private start of a run
        start = await begin(self, run)
        kept[self] = start.return_directly
        return start

    async def acts(self: Agent[AnyMessage], run: Run, start: Any, *rest: Any) -> Any:  # Any: passed on
        return await act(self, run, replace(start, return_directly=kept[self]), *rest)

    return patch.multiple(Agent, _begin=begins, _act=acts)


@bug("INSTR-03")
def renders_the_instruction_once() -> AbstractContextManager[object]:
    """Renders the instruction of an agent in place: later runs have the session values of the first run."""
    rendered: dict[tuple[str, str], str] = {}

    def renders(instruction: str, session: Mapping[str, Json]) -> str:
        run = current_run.get()
        assert run is not None, "an instruction is rendered in a run"
        key = (run.agent, instruction)
        if key not in rendered:
            rendered[key] = render(instruction, session)
        return rendered[key]

    return patch.object(agents, "render", renders)


@bug("CTX-12")
def restores_the_session_over_the_callers() -> AbstractContextManager[object]:
    """Overwrites the session values that the caller passes on resumption with those of the checkpoint."""
    continued = Agent._continued

    async def continues(self: Agent[AnyMessage], run: Run, checkpoint: bytes, data: Mapping[str, Json]) -> AnyMessage:
        if not run.nested:
            run.session.update(Checkpoint.read(checkpoint, self.message_type).session)
        return await continued(self, run, checkpoint, data)

    return patch.object(Agent, "_continued", continues)


@bug("CTX-11")
def drops_falsy_session_values_on_resumption() -> AbstractContextManager[object]:
    """Restores the session values of a checkpoint that are truthy only."""
    read = Checkpoint.values

    def values(self: Checkpoint) -> tuple[dict[str, Json], dict[str, Json]]:
        local, session = read(self)
        return local, {key: value for key, value in session.items() if value}

    return patch.object(Checkpoint, "values", values)
