"""Scenes of Givens, the check of a Then, and short names for what can be seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from loopspec.contract.acting import Hook
from loopspec.contract.calls import ModelRequest
from loopspec.contract.observation import Event, HookCall, ModelCall, Observation, RunEnd, Span
from loopspec.contract.scene import Scene
from loopspec.contract.values import Error, Json, Message, MessageRole, ToolCall
from loopspec_steps import Check, ScenarioBuilder

FAILED = Error(kind="scripted", code="e1")
OTHERWISE = Error(kind="scripted", code="e2")
Below = Sequence[Sequence[str]] | str | None


Step = str | tuple[str, Sequence[Sequence[str]] | None]


def built(*steps: Step, act: str = "the agent runs") -> Scene:
    """The Scene of some Givens, which may have tables, and a When."""
    builder = ScenarioBuilder()
    for step in steps:
        text, table = (step, None) if isinstance(step, str) else step
        builder.take("given", text, table)
    builder.take("when", act)
    return builder.scene


def check_of(text: str, below: Below = None, scene: Scene | None = None) -> Check:
    """A Then after any When, or for a scene."""
    builder = ScenarioBuilder()
    builder.take("when", "the agent runs")
    table, docstring = (None, below) if isinstance(below, str) else (below, None)
    check = builder.take("then", text, table, docstring)
    assert check is not None
    return check if scene is None else replace(check, scene=scene)


# -- what can be seen ------------------------------------------------------------------------------------------


def said(role: MessageRole, content: str = "", *calls: ToolCall) -> Message:
    """A message."""
    return Message(role=role, content=content, tool_calls=calls)


def ended(error: Error | None = None, *, run: str = "1", interrupted: bool = False, **more: Json) -> Observation:
    """A run that has ended, and nothing else."""
    return Observation(runs=(RunEnd(n=90, run=run, error=error, interrupted=interrupted, **more),))


def both(*parts: Observation) -> Observation:
    """Everything that is in any of them."""
    names = Observation.__struct_fields__
    whole = {
        name: tuple(entry for part in parts for entry in getattr(part, name)) for name in names if name != "created"
    }
    return Observation(created=next((part.created for part in parts if part.created), None), **whole)


def asked(
    *messages: Message,
    model: str = "model",
    n: int = 1,
    run: str = "1",
    context: dict[str, Json] | None = None,
    **more: Json,
) -> Observation:
    """One model call."""
    request = ModelRequest(messages=messages, **more)
    return Observation(model_calls=(ModelCall(n=n, model=model, run=run, request=request, context=context or {}),))


def hooked(hook: Hook = "before model", handler: str = "H", run: str = "1", **more: Json) -> Observation:
    """One call of a hook."""
    return Observation(hooks=(HookCall(**{"n": 3, **more}, handler=handler, hook=hook, run=run),))


def shown(*events: Event) -> Observation:
    """The events of run 1."""
    return Observation(events=events)


def event(message: Message | None = None, **more: Json) -> Event:
    """One event."""
    return Event(n=7, run=more.pop("run", "1"), agent=more.pop("agent", "agent"), message=message, **more)


def called(*lines: str, run: str = "1", agent: str = "agent") -> Observation:
    """Calls in an order, indented by what they happened inside of."""
    spans: list[Span] = []
    above: dict[int, int] = {}
    for n, line in enumerate(lines):
        depth = (len(line) - len(line.lstrip())) // 2
        above[depth] = n
        name = "model model" if line.strip() == "model" else line.strip()
        spans.append(
            Span(n=n, name=name, agent=agent, run=run, inside=above.get(depth - 1) if depth else None, ended=50)
        )
    return Observation(spans=tuple(spans))
