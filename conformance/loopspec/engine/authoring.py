"""The mistakes of an adapter in Python that its author can correct, each as a sentence about the adapter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..adapting.adapter import CAPABILITY_METHODS, REQUIRED, AgentAdapter
from ..contract.agents import Agent, Model, Tool, Turn
from ..contract.doubles import ScriptedError
from ..contract.faults import KitError
from ..contract.names import nearest
from ..contract.observation import Observation
from ..contract.scene import Run, Scene
from ..contract.target import Target
from ..contract.values import Error, Message, ToolCall
from ..specification.invariants.lifetimes import NO_CALL_ID
from ..targets.python import PythonTarget
from .perform import perform

_DECLARATIONS = ("name", "version", "roles", "capabilities", "postures", "error_kinds")
_ALIKE = 0.8  # as for the misspelled names of other adapters
_CODE = "loopspec doctor"


def unimplemented(adapter: object) -> Iterator[str]:
    """The methods of the toolkit that an adapter needs and does not implement, with a similar name that it has."""
    if not isinstance(adapter, AgentAdapter):
        return
    found = type(adapter)
    declared = [name for name in CAPABILITY_METHODS if name in adapter.capabilities]
    needed = [(method, "it") for method in REQUIRED]
    needed += [(CAPABILITY_METHODS[name], f"it declares {name} but") for name in declared]
    for method, why in needed:
        if getattr(found, method) is getattr(AgentAdapter, method):
            yield f"{why} does not implement {method}(){_instead(adapter, method)}"


def unread(adapter: object) -> Iterator[str]:
    """The attributes of an adapter on the toolkit that nothing reads, and that resemble a name that it inherits."""
    if not isinstance(adapter, AgentAdapter):
        return
    for name in dict.fromkeys((*_DECLARATIONS, *CAPABILITY_METHODS.values())):
        inherited = getattr(type(adapter), name) is getattr(AgentAdapter, name) and name not in vars(adapter)
        if inherited and (close := _similar(adapter, name)):
            yield f"it has `{close}`, which nothing reads: did you mean `{name}`?"


def _instead(adapter: object, method: str) -> str:
    close = _similar(adapter, method)
    return f" (it has `{close}`: did you mean `{method}`?)" if close else ""


def _similar(adapter: object, method: str) -> str | None:
    """The attribute of an adapter with a similar name, without those that the toolkit has, too."""
    own = {name for part in type(adapter).__mro__ for name in vars(part)} | vars(adapter).keys()
    return nearest(method, own - set(dir(AgentAdapter)), _ALIKE)


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
