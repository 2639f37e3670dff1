"""Variants about other loads of the same files."""

from __future__ import annotations

from msgspec.structs import replace

from loopspec.contract.actions import DropInstructions, Script
from loopspec.contract.agents import Agent, AgentsMD, Handler, Model, Scripted, Tool, Turn
from loopspec.contract.observation import Observation
from loopspec.contract.scene import File, Run, Scene
from loopspec.contract.values import MARKER, Called, Message, ToolCall
from loopspec.engine.perform import as_load

from .facts import Facts, with_agents
from .file_facts import configs
from .restoring import without_handlers
from .restoring_files import with_first_loads, with_last_load, without_earlier_reads
from .variant import Variant, Varied

_ANOTHER = "/unrelated/notes.md"
_PAUSE = "pause"  # the tool that interrupts the run


def _is_load(facts: Facts) -> bool:
    return facts.scene.act == "load" and not facts.gates


def _first_file(scene: Scene) -> str | None:
    """The first configured path under which the scene has a file."""
    configured = (scene.instructions and scene.instructions.files) or ()
    return next((path for path in configured if path in scene.files), None)


def _together(scene: Scene) -> Varied:
    """The scene with two loads, each of which waits in its first read until the other load has begun its own."""
    first = _first_file(scene)
    assert first is not None, "the predicate of the variant requires a file"
    held = replace(scene.files[first], held=Called(double=f"read {first}", times=2))
    return Varied(replace(scene, times=2, together=True, files={**scene.files, first: held}), (with_first_loads(2),))


def _with_another_configuration(scene: Scene) -> Varied:
    """The scene with an AgentsMD middleware of another configuration before the agent's own one.

    Several files are in reverse order; a single one comes after another file. A handler between the two middlewares
    removes the instructions of the first one before the first model call.
    """
    names: set[str] = set()

    def change(agent: Agent) -> Agent:
        at = next((at for at, handler in enumerate(agent.handlers) if isinstance(handler, AgentsMD)), None)
        if at is None:
            return agent
        own = agent.handlers[at]
        assert isinstance(own, AgentsMD), "found as one"
        assert own.config is not None, "the predicate of the variant requires files"
        files = own.config.files or ()
        files = files[::-1] if len(set(files)) > 1 else (_ANOTHER, *files)
        number = len(names) + 1
        earlier = AgentsMD(name=f"another-{number}", config=replace(own.config, files=files))
        script = Script(hook="before model", actions=(DropInstructions(),), calls=(1,))
        remover = Scripted(name=f"remover-{number}", scripts=(script,))
        names.add(remover.name)
        both: tuple[Handler, ...] = (*agent.handlers[:at], earlier, remover, *agent.handlers[at:])
        return replace(agent, handlers=both)

    files = {**scene.files, _ANOTHER: File(text="Other notes.")}
    varied = replace(scene, agent=with_agents(scene.agent, change), files=files)
    removers = frozenset(names)
    return Varied(varied, (without_earlier_reads(removers), without_handlers(removers)))


def _in_a_sub_agent(scene: Scene) -> Varied:
    """The scene whose files a sub-agent loads, in the second round of calls of a resumed run."""
    call = ToolCall(id="call-2", name=scene.agent.name, args='{"request": "Hello."}')
    turns = (
        Turn(tool_calls=(ToolCall(id="call-1", name=_PAUSE, args="{}"),)),
        Turn(tool_calls=(call,)),
        Turn(text="."),
    )
    inner = replace(scene.agent, description="An agent.", handlers=(AgentsMD(config=scene.instructions),))
    tools = (Tool(name=_PAUSE, interrupts=True), Tool(name=inner.name, agent=inner))
    outer = Agent(name="outer_agent", model=Model(name="outer-model", turns=turns), tools=tools)
    first = Run(id="1", messages=(Message(role="user", content="Go."),), part="interrupted")
    runs = (first, Run(id="2", resume="1"))

    def of_the_load(seen: Observation) -> Observation:
        calls = tuple(call for call in seen.model_calls if call.model != "outer-model")
        return as_load(scene, replace(seen, model_calls=calls))

    return Varied(replace(scene, act="run", agent=outer, runs=runs, message_type="agentic"), (of_the_load,))


def _has_new_conversations(facts: Facts) -> bool:
    """Whether one agent loads files that can be read, in runs with new conversations of unmarked messages."""
    scene, runs = facts.scene, facts.scene.runs
    loading = [agent for agent in facts.agents if any(isinstance(handler, AgentsMD) for handler in agent.handlers)]
    return (
        scene.act == "run"
        and len(loading) == 1
        and all(handler.config for handler in facts.handlers if isinstance(handler, AgentsMD))
        and all(config.files and config.backend for config in configs(scene))
        and not facts.gates
        and not any(file.fault for file in scene.files.values())
        and not any(run.resume or run.history or run.together or run.thread for run in runs)
        and not any(MARKER in message.extra for run in runs for message in run.messages)
    )


VARIANTS = (
    Variant(
        "loaded-in-a-sub-agent",
        lambda facts: _is_load(facts) and facts.scene.times == 1 and not facts.scene.changes,
        _in_a_sub_agent,
        needs=frozenset({"agent-tool", "agentic-messages", "agentsmd", "interrupt"}),
        postures={"tool-failure": "ends"},
        roles=("loader",),
        judged_in="agent",
    ),
    Variant(
        "loaded-twice", _is_load, lambda scene: Varied(replace(scene, times=2), (with_last_load,)), roles=("loader",)
    ),
    Variant(
        "loaded-together",
        lambda facts: _is_load(facts) and _first_file(facts.scene) is not None,
        _together,
        roles=("loader",),
        needs=frozenset({"concurrent-runs"}),
    ),
    Variant(
        "another-configuration-before",
        _has_new_conversations,
        _with_another_configuration,
        roles=("middleware", "agent", "plugins"),
        needs=frozenset({"before-model-edits", "before-model-hooks", "several-handlers"}),
    ),
)
