"""Perform one scene on one target."""

from __future__ import annotations

from contextlib import closing

from msgspec.structs import replace

from ..contract.agents import AgentsMD
from ..contract.axes import dialect_of
from ..contract.faults import AdapterError, KitError, TargetCrashed, TargetTimedOut, TargetUnusable
from ..contract.instructions import carries_instructions, find_sections
from ..contract.observation import Load, Observation
from ..contract.places import located
from ..contract.roles import Role
from ..contract.scene import Run, Scene
from ..contract.target import Target
from ..contract.values import Message
from ..stage import LiveStage, sessions
from .deadlines import DEFAULT_DEADLINE, DeadlinePassed, before_deadline


def perform(target: Target, scene: Scene, role: Role, deadline: float = DEFAULT_DEADLINE) -> Observation:
    """Perform the scene and return the observation.

    Raises `AdapterError`, `TargetCrashed` or `TargetTimedOut` if the scene could not be performed, and
    `TargetUnusable` if no scene can. After a time-out the state of the process is unknown, unless the target is
    isolated.
    """
    in_agent = role in ("middleware", "agent")
    played = _in_an_agent(scene) if in_agent and scene.act in ("load", "create") else scene
    if scene.workspace is not None:
        played = replace(scene, workspace=dialect_of(target.postures).applied_to(scene.workspace))
    stage = LiveStage(played, role, deadline)
    try:
        if target.isolated:
            _all_sessions(target, stage)
        else:
            before_deadline(deadline, lambda: _all_sessions(target, stage))
    except TargetUnusable as error:
        if target.unusable:
            raise
        raise AdapterError(str(error)) from error  # of a factory that fails the second time
    except (KitError, KeyboardInterrupt):
        raise
    except DeadlinePassed:
        raise TargetTimedOut(f"{target.identity.name} did not return within {deadline:g} s") from None
    except SystemExit as error:
        raise TargetCrashed(f"{target.identity.name} raised SystemExit({error.code!r})") from error
    except BaseException as error:  # a cancellation or a skip of pytest is no outcome either
        raise AdapterError(f"the adapter of {target.identity.name} failed: {located(error)}") from error
    seen = stage.observation()
    return as_load(scene, seen) if in_agent and scene.act == "load" else seen


def _all_sessions(target: Target, stage: LiveStage) -> None:
    """Perform each session; to the target, a later session looks like a new process."""
    first, *later = sessions(stage.scene)
    stage.runs.session = first
    target.perform(stage)
    for session in later:
        if not stage.runs.takes_place(session[0]):
            continue
        stage.runs.session = session
        with closing(target.rebuilt()) as another:
            another.perform(stage)


def _in_an_agent(scene: Scene) -> Scene:
    """The scene for a target without a loader: an agent with the AgentsMD middleware, and for a load one short run."""
    agent = replace(scene.agent, handlers=(AgentsMD(config=scene.instructions),))
    if scene.act == "create":
        return replace(scene, agent=agent)
    run = Run(id="1", messages=(Message(role="user", content="Hello."),))
    return replace(scene, act="run", agent=agent, runs=(run,))


def as_load(scene: Scene, seen: Observation) -> Observation:
    """The outcome of the short run as a load. A read of the constructor is not part of the load (AMD-CFG-06)."""
    in_run = tuple(read for read in seen.reads if read.run)
    seen = replace(seen, reads=in_run or seen.reads)  # a thread of the implementation may not know the run
    n = len(seen.reads)
    error = seen.created or next((run.error for run in seen.runs if run.error), None)
    if error:
        return replace(seen, loads=(Load(n=n, error=error),))
    if not seen.model_calls:  # an agent that never calls its model has not loaded anything
        return seen
    given = seen.model_calls[0].messages
    texts = [message.content for message in given if carries_instructions(message.content, scene)]
    text = texts[0] if texts else None
    sections = find_sections(text, seen.reads) if text else ()
    return replace(seen, loads=(Load(n=n, sections=sections, text=text),))
