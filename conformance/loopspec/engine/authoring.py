"""The mistakes of an adapter in Python that its author can correct, each as a sentence about the adapter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol, runtime_checkable

from ..contract.agents import Agent, Model, Tool, Turn
from ..contract.doubles import ScriptedError
from ..contract.faults import KitError
from ..contract.observation import Observation
from ..contract.scene import Run, Scene
from ..contract.target import Target
from ..contract.values import Error, Message, Place, ToolCall
from ..specification.invariants.runs import NO_CALL_ID
from ..targets.python import PythonTarget
from .perform import perform

_CODE = "loopspec doctor"


@runtime_checkable
class Toolkit(Protocol):
    """What an adapter on a toolkit knows about itself."""

    def unwritten(self) -> Iterator[str]:
        """Yield the methods that the adapter needs and does not implement, each as a part of a sentence."""

    def has_written(self, place: Place) -> bool:
        """Whether a place is in a method of the adapter: the framework is somewhere else."""


def toolkit_of(target: Target) -> Toolkit | None:
    """The adapter of a target in Python, if the adapter is on a toolkit."""
    shape = target.shape if isinstance(target, PythonTarget) else None
    return shape if isinstance(shape, Toolkit) else None


def too_general(kinds: Mapping[type[BaseException], str]) -> Iterator[str]:
    """The entries of `error_kinds` that each exception of Python matches, so that they name no error."""
    for error, kind in kinds.items():
        if issubclass(ScriptedError, error):
            yield (
                f"error_kinds maps {error.__name__}, and with it every exception, to {kind!r}: name the exceptions of "
                "your implementation"
            )


def about_calls(target: Target, deadline: float) -> Iterator[str]:
    """What a tool receives, in a run whose first answer calls a tool."""
    model = Model(turns=(Turn(tool_calls=(ToolCall(id="c1", name="t", args="{}"),)), Turn(text="done")))
    seen = _seen(target, Agent(model=model, tools=(Tool(name="t"),)), deadline)
    if seen and any(run.call.id == "" and not run.has_no_id for run in seen.tool_runs):
        yield NO_CALL_ID


def about_errors(target: Target, deadline: float) -> Iterator[str]:
    """What becomes of the error of a model, in a run whose only model call fails."""
    model = Model(turns=(Turn(error=Error(kind="scripted", code=_CODE)),))
    if (seen := _seen(target, Agent(model=model), deadline)) is None:
        return
    yield from _of(seen, "the method `run`" if toolkit_of(target) else "the block of `runs.running(run)`")


def _seen(target: Target, agent: Agent, deadline: float) -> Observation | None:
    """The observation of a run of this agent; None for an adapter that cannot perform the scene."""
    scene = Scene(act="run", agent=agent, runs=(Run(id="1", messages=(Message(role="user", content="Hello."),)),))
    try:
        return perform(target, scene, "agent", deadline)
    except KitError:  # the smoke cases of the role say what is wrong
        return None


def _of(seen: Observation, where: str) -> Iterator[str]:
    """What became of the error. `where` names the part of the adapter that the error must leave."""
    error = next((end.error for end in seen.runs), None)
    if seen.created is not None or not seen.model_calls:
        return
    if error is None:
        yield (
            f"the run whose model fails ends without an error: let the error leave {where}, "
            "unless your implementation handles the error"
        )
    elif error.code != _CODE:
        yield f"the error of a model reaches the caller as {error}: keep it as the cause, with `raise … from error`"
    if error is not None and not any(event.error for event in seen.events):
        yield "the error of a failed run is no event: report it with `runs.event(agent, error=error)`"
