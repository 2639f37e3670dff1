"""Variants about runs that are stopped and resumed."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from ...contract.agents import Model
from ...contract.scene import Cancel, Run, Scene
from ...contract.values import Called
from .facts import Facts
from .joining import WithJoinedParts
from .variant import Variant, Varied

_Point = Literal["after model", "after tools"]


def _is_one_run(facts: Facts) -> bool:
    """Whether an agent without a failover makes one run, which nothing stops, and nothing waits for its events."""
    if not facts.is_run or len(facts.scene.runs) != 1 or any(agent.failover for agent in facts.agents):
        return False
    (run,) = facts.scene.runs
    return not (run.cancels or run.thread) and all(isinstance(gate, Called) for gate in facts.gates)


def _calls_tools(facts: Facts) -> bool:
    return _is_one_run(facts) and any(turn.tool_calls for model in facts.models for turn in model.turns)


def _stopped(scene: Scene, point: _Point) -> Varied:
    """The scene whose run is stopped at each safe point of this kind."""
    (run,) = scene.runs
    models = Facts(scene).models
    stops = sum(len(model.turns) for model in models)
    ids = (run.id, *(f"{run.id}.{number}" for number in range(2, stops + 2)))
    parts: list[Run] = []
    for part in ids:
        cancels = tuple(_at_the_first_call(model, part, point) for model in models)
        if not parts:
            parts.append(replace(run, part="cancelled", cancellable=True, cancels=cancels))
            continue
        parts.append(
            Run(
                id=part,
                resume=parts[-1].id,
                streaming=run.streaming,
                context=run.context,
                part="cancelled",
                cancellable=True,
                cancels=cancels,
            )
        )
    return Varied(replace(scene, runs=tuple(parts)), (WithJoinedParts(ids),))


def _at_the_first_call(model: Model, run: str, point: _Point) -> Cancel:
    return Cancel(at=Called(double=f"model {model.name}", run=run), modes=(point,), recursive=True)


VARIANTS = (
    Variant(
        name="stopped-after-model-calls",
        rule="VARIANT-09",
        applies=_calls_tools,
        vary=lambda scene: _stopped(scene, "after model"),
        needs=frozenset({"cancel", "interrupt"}),
    ),
    Variant(
        name="stopped-after-tool-calls",
        rule="VARIANT-10",
        applies=_calls_tools,
        vary=lambda scene: _stopped(scene, "after tools"),
        needs=frozenset({"cancel", "interrupt"}),
    ),
)
