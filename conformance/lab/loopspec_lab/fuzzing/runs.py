"""Generated runs: resumed from a checkpoint, one after the other, or concurrent."""

from __future__ import annotations

from typing import TypeAlias

from hypothesis import strategies as st
from msgspec.structs import replace

from loopspec.contract.agents import Agent, Scripted
from loopspec.contract.capabilities import Capability
from loopspec.contract.scene import Run, Scene
from loopspec.contract.values import Json

Shared: TypeAlias = frozenset[Capability]

_SESSIONS: st.SearchStrategy[dict[str, Json]] = st.sampled_from([{"name": "Bob"}, {}, {"k": "y"}])
# The ids of generated calls are `call 1` and so on; those of the sub-agent are the same.
_BY_CALL: st.SearchStrategy[dict[str, Json]] = st.sampled_from(
    [{"call 1": "one"}, {"call 2": "two"}, {"call 1": "one", "call 2": "two"}, {"call 1": ""}]
)


def resumed(draw: st.DrawFn, scene: Scene, shared: Shared) -> Scene:
    """A run that is resumed, with answers for a tool or for calls; maybe resumed again."""
    tools = scene.agent.tools
    if tools and not tools[0].agent and not scene.runs[0].cancels:
        agent = replace(scene.agent, tools=(replace(tools[0], interrupts=True), *tools[1:]))
        scene = replace(scene, agent=agent)
    answers: dict[str, Json] = draw(st.sampled_from([{}, {"t1": "yes"}]))
    by_call = draw(st.just({}) | _BY_CALL)
    first = scene.runs[0]
    second = replace(first, id="2", messages=(), resume="1", answers=answers, call_answers=by_call, cancels=())
    if not draw(st.booleans()):
        return replace(scene, runs=(first, second))
    stops = ["2", "1"] if "checkpoint-reuse" in shared else ["2"]
    third = replace(second, id="3", resume=draw(st.sampled_from(stops)), call_answers=draw(st.just(by_call) | _BY_CALL))
    return replace(scene, runs=(first, second, third))


def twice(draw: st.DrawFn, scene: Scene, shared: Shared) -> Scene:
    """A second run after the first."""
    return _repeated(draw, scene, shared, together=False)


def together(draw: st.DrawFn, scene: Scene, shared: Shared) -> Scene:
    """A second run at the same time."""
    return _repeated(draw, scene, shared, together=True)


def _repeated(draw: st.DrawFn, scene: Scene, shared: Shared, together: bool) -> Scene:
    """The run once more, maybe with a session of its own, maybe with actions that happen in one of both only."""
    if len(scene.runs) > 1 or scene.runs[0].cancels:
        return scene
    second: Run = replace(scene.runs[0], id="2", together=together)
    if "session-values" in shared and draw(st.booleans()):
        second = replace(second, session=draw(_SESSIONS))
    if draw(st.booleans()):
        scene = replace(scene, agent=_in_one_run(scene.agent, draw(st.sampled_from(["1", "2"]))))
    return replace(scene, runs=(*scene.runs, second))


def _in_one_run(agent: Agent, run: str) -> Agent:
    """The agent whose handlers act in one run only; handlers that only observe stay as they are."""
    return replace(
        agent,
        handlers=tuple(
            replace(one, scripts=tuple(replace(script, runs=(run,)) for script in one.scripts))
            if isinstance(one, Scripted) and any(script.actions for script in one.scripts)
            else one
            for one in agent.handlers
        ),
    )
