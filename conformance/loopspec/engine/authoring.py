"""The mistakes of an adapter in Python that its author can correct, each as a sentence about the adapter."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from typing import Any

from ..adapting.adapter import REQUIRED, AgentAdapter
from ..contract.agents import Agent, Model, Tool, Turn
from ..contract.capabilities import CAPABILITIES
from ..contract.doubles import ScriptedError
from ..contract.faults import KitError
from ..contract.observation import Observation
from ..contract.places import file_name
from ..contract.scene import Run, Scene
from ..contract.target import Target
from ..contract.values import Error, Message, Place, ToolCall
from ..specification.invariants.runs import NO_CALL_ID
from ..targets.declared import misspelled
from ..targets.python import PythonTarget
from .perform import perform

_CODE = "loopspec doctor"


def unimplemented(adapter: object) -> Iterator[str]:
    """The methods of the toolkit that an adapter needs and does not implement, with a similar name that it has."""
    if not isinstance(adapter, AgentAdapter):
        return
    found = type(adapter)
    needed = [(method, "it") for method in REQUIRED]
    for kind in CAPABILITIES.values():
        if kind.toolkit_method and kind.name in adapter.capabilities:
            needed.append((kind.toolkit_method, f"it declares {kind.name} but"))
    for method, why in needed:
        if getattr(found, method) is getattr(AgentAdapter, method):
            yield f"{why} does not implement {method}(){_instead(adapter, method)}"


def _instead(adapter: AgentAdapter[Any], method: str) -> str:
    close = next((one.name for one in misspelled(adapter) if one.meant == method), None)
    return f" (it has `{close}`: did you mean `{method}`?)" if close else ""


def raises(adapter: object, place: Place) -> bool:
    """Whether a place is in a method of an adapter on the toolkit: the framework is somewhere else."""
    if not isinstance(adapter, AgentAdapter):
        return False
    own = (part for part in type(adapter).__mro__ if issubclass(part, AgentAdapter) and part is not AgentAdapter)
    return any(
        place.function.startswith(f"{part.__qualname__}.") and place.file == file_name(inspect.getfile(part))
        for part in own
    )


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
    on_toolkit = isinstance(target, PythonTarget) and isinstance(target.shape, AgentAdapter)
    yield from _of(seen, "the method `run`" if on_toolkit else "the block of `runs.running(run)`")


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
