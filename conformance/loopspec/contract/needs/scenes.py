"""The capabilities that a scene needs, derived from the scene and not from a tag."""

from __future__ import annotations

from ..agents import AgentsMD
from ..capabilities import Capability
from ..scene import Run, Scene
from .agents import of_agent, of_plugin
from .backends import of_backend
from .hooks import several_in_workflow
from .models import of_calls, of_turns
from .reasons import present


def needed_capabilities(scene: Scene) -> frozenset[Capability]:
    """Return the capabilities that a target must declare for a scene."""
    needed = present(
        {
            "agentic-messages": scene.message_type == "agentic",
            "language-zh": "zh" in (*scene.languages, *(change.language for change in scene.changes)),
            "nil-values": any(file.nothing for file in scene.files.values()),
            "concurrent-runs": scene.together,
            "default-warning-sink": scene.reads_log,
            "shared-lists": scene.shared_lists,
            "falsy-objects": scene.falsy,
        }
    )
    if scene.act in ("load", "create", "run") and any(isinstance(one, AgentsMD) for one in scene.agent.handlers):
        needed.add("agentsmd")
    if scene.act == "outside":
        needed |= {"send-event" if action == "send event" else "run-values" for action in scene.tried}
    return frozenset(needed | _of_runs(scene) | of_agent(scene.agent) | of_backend(scene) | _of_strategies(scene))


def _of_runs(scene: Scene) -> set[Capability]:
    resumed = [run.resume for run in scene.runs if run.resume]
    needed = present({"checkpoint-reuse": len(set(resumed)) < len(resumed)})
    sessions = {run.id: run.session for run in scene.runs}
    for run in scene.runs:
        needed |= present(
            {
                "concurrent-runs": run.together,
                "interrupt": run.resume is not None,
                "session-values": run.session,
                "session-on-resume": run.resume and run.session and run.session != sessions.get(run.resume),
                "streaming": run.streaming,
                "cancel": run.cancellable or run.cancels,
                "clock": any(cancel.timeout is not None for cancel in run.cancels),
                "threads": run.thread,
            }
        )
        needed |= _of_contents(run)
    return needed


def _of_contents(run: Run) -> set[Capability]:
    """The needs of the messages that a run begins with, and of the answers of models in this run alone."""
    needed = of_calls(call for message in run.messages for call in message.tool_calls)
    return needed | of_turns(turn for turns in run.turns.values() for turn in turns)


def _of_strategies(scene: Scene) -> set[Capability]:
    strategies = [strategy for module in scene.modules for strategy in module.strategies]
    needed = present(
        {
            "registry": strategies or scene.lookups or scene.act == "catalog",
            "graph": scene.workflow,
            "execution-trace": scene.traces,
            "several-handlers": scene.workflow and several_in_workflow(scene.workflow, strategies, scene.agent),
        }
    )
    for strategy in strategies:
        needed |= present({"invalid-values": strategy.invalid, "mutable-options": strategy.uses_up})
        if strategy.makes:
            needed |= of_plugin(strategy.makes)
    return needed
