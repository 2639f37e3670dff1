"""An adapter on the toolkit is a target: it builds, runs, and reports errors."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from loopspec import AdapterError, Observation, ScriptedError, Stage
from loopspec.contract.actions import Script
from loopspec.contract.agents import Agent, Model, Scripted, Tool, Turn
from loopspec.contract.doubles import Inner
from loopspec.contract.scene import Run, Scene
from loopspec.contract.values import Error, Json
from loopspec.engine.judge import Judging
from loopspec.engine.perform import perform
from loopspec.specification.features import compiled
from loopspec.specification.sources import cases_in
from loopspec.stage import LiveStage
from loopspec.targets.python import PythonTarget
from loopspec_adapting import AgentAdapter, Parts, Reporter

from ..staging import Inside
from .bundles import Bundle, Bundled, bundle, scene_with, user

# What the framework does through the toolkit: a loop with hooks and tool wrappers in both modes, model wrappers in one.
RULES = set(
    """
    CFG-01 CFG-02 CFG-03 EVENT-01 EVENT-02 EVENT-03 EVENT-04 LOOP-01 LOOP-03 LOOP-05 LOOP-07 LOOP-09 STATE-01 STATE-10
    HOOK-AA-01 HOOK-AA-04 HOOK-AM-01 HOOK-AM-02 HOOK-AM-03 HOOK-AM-09 HOOK-AM-10 HOOK-BA-01 HOOK-BA-02 HOOK-BA-05
    HOOK-BA-06 HOOK-BA-07 HOOK-BM-01 HOOK-BM-02 HOOK-BM-03 HOOK-BM-07 HOOK-BM-08 HOOK-WT-01 HOOK-WT-05 HOOK-WT-06
    HOOK-WT-07 HOOK-WT-08 HOOK-WT-09 HOOK-WT-11 HOOK-WT-12 MAXITER-02 ORDER-TOOL-03 RETDIR-01 RETDIR-05 RETRY-10
    """.split()
)
MODEL_WRAPPERS = {"HOOK-WM-01", "HOOK-WM-04", "HOOK-WM-05", "HOOK-WM-06", "HOOK-WM-07", "HOOK-WM-11", "HOOK-WM-14"}


def seen_of(adapter: type[AgentAdapter[Bundle]], scene: Scene) -> Observation:
    """The observation of a scene on an adapter."""
    target = PythonTarget(adapter, "test")
    try:
        return perform(target, scene, "agent", 5.0)
    finally:
        target.close()


def test_the_harness_judges_the_framework_through_the_toolkit() -> None:
    """Rules of the loop, of hooks, of wrappers, of events and of the state are passed, none is errored."""
    target = PythonTarget(Bundled, "test")
    cases = [case for case in compiled() if "agent" in case.roles]
    both = [case for case in cases if RULES & set(case.rule.ids)]
    synchronous = [case for case in cases if MODEL_WRAPPERS & set(case.rule.ids)]
    streaming = [each for case in both for each in cases_in(case, ["streaming"])]
    judging = Judging(target)
    results = [judging.judge(each) for each in (*both, *synchronous, *streaming)]
    target.close()

    judged = [result for result in results if result.verdict != "inapplicable"]
    assert [(one.case, one.message) for one in judged if one.verdict != "passed"] == []
    assert {rule for one in judged for rule in one.rules} >= RULES | MODEL_WRAPPERS | {"VARIANT-05"}


@pytest.mark.parametrize("method", ["to_wire", "from_wire", "build", "run"])
def test_a_missing_method_is_the_adapters_fault(method: str) -> None:
    """The sentence names the class and the method."""

    class Mine(Bundled):
        pass

    setattr(Mine, method, getattr(AgentAdapter, method))

    with pytest.raises(AdapterError, match=rf"^Mine has no method {method}\(\)"):
        seen_of(Mine, scene_with())


def test_a_missing_resume_is_the_adapters_fault() -> None:
    """A scene with an interrupt needs the capability, and the capability needs the method."""

    class Stops(Bundled):
        async def run(self, agent: object, messages: list[Bundle], report: Reporter[Bundle]) -> None:
            report.interrupted(b"x")

    resumed = replace(scene_with(), runs=(Run(id="1"), Run(id="2", resume="1")))

    with pytest.raises(AdapterError, match=r"^Stops has no method resume\(\)"):
        seen_of(Stops, resumed)


def test_a_run_is_resumed_with_its_answers() -> None:
    """The adapter receives the checkpoint and the answers by the ids of the interrupts."""
    found: list[tuple[bytes, Mapping[str, Json]]] = []

    class Stops(Bundled):
        async def run(self, agent: object, messages: list[Bundle], report: Reporter[Bundle]) -> None:
            report.interrupted(b"x", [("i", "t at c")])

        async def resume(
            self, agent: object, checkpoint: bytes, answers: Mapping[str, Json], report: Reporter[Bundle]
        ) -> None:
            found.append((checkpoint, answers))

    seen_of(Stops, replace(scene_with(), runs=(Run(id="1"), Run(id="2", resume="1", answers={"t": "yes"}))))

    assert found == [(b"x", {"i": "yes"})]


def test_an_error_of_a_run_is_its_last_event() -> None:
    """The author raises it once."""
    scene = scene_with()
    model = Model(name="m", turns=(Turn(error=Error(kind="scripted", code="E")),))
    seen = seen_of(Bundled, replace(scene, agent=replace(scene.agent, model=model)))

    (event,), (end,) = seen.events, seen.runs
    assert event.error is not None
    assert end.error is not None
    assert (event.error.code, end.error.code) == ("E", "E")


def test_runs_of_one_list_share_one_list() -> None:
    """Equal messages of the caller are the same list of the framework's messages, and a change of it is recorded."""
    lists: list[list[Bundle]] = []

    class Changes(Bundled):
        async def run(self, agent: object, messages: list[Bundle], report: Reporter[Bundle]) -> None:
            lists.append(messages)
            messages.append(bundle(user("more")))

    scene = scene_with()
    twice = replace(scene, one_list=True, runs=(scene.runs[0], replace(scene.runs[0], id="2")))
    seen = seen_of(Changes, twice)

    assert lists[0] is lists[1]
    assert [end.changed for end in seen.runs] == [("messages",), ("messages",)]


def test_the_inside_of_a_run_is_rejected_unless_the_adapter_has_one() -> None:
    """Outside a run, and by default, every method raises."""

    class Open(Bundled):
        def inside(self) -> Inner:
            return Inside()

    class Closed(Bundled):
        def inside(self) -> Inner:
            return Inside(fails=ScriptedError("closed"))

    scene = replace(scene_with(), act="outside")
    rejected = {adapter: [one.error for one in seen_of(adapter, scene).outside] for adapter in (Bundled, Open, Closed)}

    assert all(rejected[Bundled])
    assert all(rejected[Closed])
    assert not any(rejected[Open])


def test_a_hook_can_offer_a_tool_of_the_scene() -> None:
    """`Parts.pick` returns known tools, and makes the others: additional ones, and ones that have only a name."""
    made: list[str] = []

    class Picks(Bundled):
        async def run(self, agent: object, messages: list[Bundle], report: Reporter[Bundle]) -> None:
            assert hasattr(agent, "pick")
            made.extend(agent.pick(["t", "u", "v"], {"t": "own"}, lambda tool: f"made {tool.name}"))

    scene = scene_with()
    seen_of(Picks, replace(scene, agent=replace(scene.agent, additional_tools=(Tool(name="u"),))))

    assert made == ["own", "made u", "made v"]


def test_a_streamed_tool_and_a_schema() -> None:
    """The schema of a tool is that of an object, and a tool has chunks."""
    found: list[object] = []

    class Streams(Bundled):
        async def run(self, agent: object, messages: list[Bundle], report: Reporter[Bundle]) -> None:
            (tool,) = getattr(agent, "tools")  # noqa: B009  # `agent` is an object to the base class
            found.append(tool.info.parameters)
            found.extend([chunk async for chunk in tool.chunks("{}", "c")])

    scene = scene_with()
    tools = (Tool(name="t", kinds=("streamable",), chunks=("a", "b")),)
    seen_of(Streams, replace(scene, agent=replace(scene.agent, tools=tools)))

    assert found == [{"type": "object", "properties": {}}, "a", "b"]


class WithSubAgent(Bundled):
    """Its only answer is the answer of the sub-agent that is its tool."""

    async def run(self, agent: Parts[Bundle], messages: list[Bundle], report: Reporter[Bundle]) -> None:
        (tool,) = agent.tools
        assert tool.spec.agent is not None
        sub = agent.of(tool.spec.agent)
        assert sub.model is not None
        start = await sub.hooks[0].before_agent(sub.instruction, [one.name for one in sub.tools])
        assert start is not None
        answer = await sub.model.answer(messages, [one.info for one in sub.tools], sub.instruction)
        assert answer is not None
        report.message(answer)


def test_a_sub_agent_has_parts_of_its_own() -> None:
    """The model, the tools, the handlers and the instruction are those of the sub-agent."""
    model = Model(name="inner m", turns=(Turn(text="from the sub-agent"),))
    hooks = (Scripted(name="inner H", scripts=(Script(hook="before agent"),)),)
    inner = Agent(name="b", instruction="I", model=model, tools=(Tool(name="t2"),), handlers=hooks)
    scene = scene_with()
    tools = (Tool(name="b", agent=inner),)
    seen = seen_of(WithSubAgent, replace(scene, agent=replace(scene.agent, tools=tools)))

    assert [end.error for end in seen.runs] == [None]
    (call,) = seen.model_calls
    assert (call.model, call.tools) == ("inner m", ("t2",))
    assert [(one.role, one.content) for one in call.messages] == [("system", "I"), ("user", "Hello.")]
    assert [(hook.handler, hook.instruction, hook.tools) for hook in seen.hooks] == [("inner H", "I", ("t2",))]
    assert [event.message and event.message.content for event in seen.events] == ["from the sub-agent"]


def test_an_override_of_perform_also_performs_handler_scenes() -> None:
    """An adapter may prepare each scene, whatever the role is."""
    performed: list[object] = []

    class Preparing(AgentAdapter[Bundle]):
        async def perform(self, stage: Stage) -> None:
            performed.append(stage)

    stage = LiveStage(Scene(act="run"), "handler")
    asyncio.run(Preparing().perform_handler(stage))

    assert performed == [stage]
