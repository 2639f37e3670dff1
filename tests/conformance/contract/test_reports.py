"""A value that a framework does not pass to its hooks is not reported: None, with a capability for each."""

from __future__ import annotations

import pytest

from loopspec import AgentStart, Capability, Edited, ModelContext, Scene, State
from loopspec.contract.acting import Hook
from loopspec.contract.actions import OfferTools, Script, SetInstruction, SetReturnDirectly, SetTools
from loopspec.contract.agents import Agent, Scripted, Tool
from loopspec.contract.doubles import NoInside
from loopspec.contract.needs import needed_capabilities
from loopspec.engine.judge import judge
from loopspec.specification.cases import Case
from loopspec.specification.features import compiled
from loopspec.stage import LiveStage

from ...steps.saying import check_of
from ..staging import HELLO, Inside, sent, staged
from .conftest import Resolved

CASES = {
    "HOOK-BA-01 :: Two hooks that add to the instruction": "the instruction",
    "HOOK-BA-18 :: One of two tools returns directly": "the tools that return directly",
    "HOOK-BM-08 :: Two model calls": "the tools",
    "HOOK-BM-09 :: Retry is not configured": "the tools of the model context",
    "HOOK-BM-09 :: Retry is configured": "the tools of the model context",
}


def named(id_: str) -> Case:
    """The case with an id."""
    return next(case for case in compiled() if case.id == id_)


def reports(case: Case) -> list[Capability]:
    """The capabilities of a case that are about reported values."""
    return sorted(need for need in case.needs if need.startswith("reports-"))


@pytest.mark.parametrize("where", ["in process", "over the pipe"])
@pytest.mark.parametrize("id_", CASES)
def test_a_value_that_is_not_reported(id_: str, where: str, target: Resolved) -> None:
    """Without the capability, the case is inapplicable; declared and not reported, the case fails and says so."""
    case = named(id_)
    assert reports(case)

    undeclared = judge(case, target("SmallLoop", where))
    declared = judge(case, target("DeclaresTheStart", where))

    assert undeclared.verdict == "inapplicable"
    assert all(need in undeclared.message for need in reports(case))
    assert declared.verdict == "failed"
    assert declared.message == (
        f"{CASES[id_]}: the adapter declares {reports(case)[-1]}, and does not report the value\n"
        "  expected: reported\n  seen:     not reported"
    )


@pytest.mark.parametrize(
    ("text", "needs"),
    [
        ('around model, "H" sees the tools t1', set()),
        ('around model, the model context of "H" has the tools t1', set()),
        ('after model, "H" sees the tools t1', {"reports-tools"}),
        ('around model, the model context of "H" has no retry configuration', {"reports-recovery"}),
        ('before agent, "H" finds "v" under "k"', set()),
    ],
)
def test_a_wrapper_has_the_tools_in_its_request(text: str, needs: set[str]) -> None:
    """A Then about the tools of a model wrapper needs no report; hooks that wrap no call receive no request."""
    check = check_of(text)

    assert check.needs == needs


@pytest.mark.parametrize(
    ("action", "needs"),
    [
        (SetInstruction(text="x", append=True), {"reports-instruction"}),
        (SetInstruction(text="x"), set()),
        (SetTools(tools=("t",)), set()),
    ],
)
def test_an_action_that_reads_the_start_needs_the_report(action: SetInstruction | SetTools, needs: set[str]) -> None:
    """An instruction is extended from the reported one; a replaced value needs none."""
    handler = Scripted(name="H", scripts=(Script(hook="before agent", actions=(action,)),))

    needed = needed_capabilities(Scene(act="run", agent=Agent(handlers=(handler,))))
    assert {capability for capability in needed if capability.startswith("reports-")} == needs


def test_a_handler_leaves_what_is_not_reported() -> None:
    """None stays None, unless the handler chooses a value."""
    actions = SetTools(tools=("t",)), SetReturnDirectly(tools=("t",)), SetInstruction(text="x", append=True)
    handlers = (
        Scripted(name="A", scripts=(Script(hook="before agent", actions=()), Script(hook="before model", actions=()))),
        Scripted(
            name="B",
            scripts=(
                Script(hook="before agent", actions=actions),
                Script(hook="before model", actions=(OfferTools(tools=("t",)),)),
            ),
        ),
    )
    starts: list[AgentStart | None] = []
    tools: list[object] = []

    async def steps(stage: LiveStage) -> None:
        for handler in ("A", "B"):
            starts.append(await stage.doubles.before_agent(handler, AgentStart(), NoInside()))
            edited = await stage.doubles.edit("before model", handler, State(messages=(HELLO,)), NoInside())
            assert isinstance(edited, Edited)
            tools.append(edited.tools)

    seen = staged(Scene(act="run", agent=Agent(handlers=handlers)), steps)

    assert starts == [AgentStart(), AgentStart(instruction="x", tools=("t",), return_directly=("t",))]
    assert tools == [None, ("t",)]
    assert [(call.instruction, call.tools, call.return_directly) for call in seen.hooks[::2]] == [
        (None, None, None)
    ] * 2


def test_a_context_without_tools_has_those_of_the_state_or_of_the_request() -> None:
    """A context that has tools keeps them."""
    hooks: tuple[Hook, ...] = ("before model", "around model", "after agent")
    handler = Scripted(name="H", scripts=tuple(Script(hook=hook, actions=()) for hook in hooks))
    own = ModelContext(tools=("own",), retry=True)

    async def steps(stage: LiveStage) -> None:
        doubles, state = stage.doubles, State(messages=(HELLO,), tools=("t",))
        for context in (None, ModelContext(retry=True), own):
            await doubles.edit("before model", "H", state, NoInside(), context)
            await doubles.around_model("H", sent(HELLO), Inside(), context)
        await doubles.edit("after agent", "H", state, NoInside())

    seen = staged(Scene(act="run", agent=Agent(handlers=(handler,))), steps)

    assert [call.model_context for call in seen.hooks] == [
        ModelContext(tools=("t",)),
        ModelContext(tools=()),
        ModelContext(tools=("t",), retry=True),
        ModelContext(tools=(), retry=True),
        own,
        own,
        None,
    ]


def test_a_tool_without_parameters_has_the_schema_of_an_object() -> None:
    """An adapter passes the schema to its framework as it is."""

    async def steps(stage: LiveStage) -> None:
        assert stage.doubles.info("t").parameters == {"type": "object", "properties": {}}

    staged(Scene(act="run", agent=Agent(tools=(Tool(name="t"),))), steps)
