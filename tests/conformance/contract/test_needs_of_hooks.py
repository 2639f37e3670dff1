"""Which hooks, edits and wrappers a scene needs: read off the scripts of its handlers and middlewares."""

from __future__ import annotations

from typing import get_args

import pytest
from msgspec.structs import replace

from loopspec import Message, ToolCall
from loopspec.contract.actions import (
    Action,
    AddOption,
    Answer,
    CallInner,
    Count,
    DeferTools,
    DropInstructions,
    Hold,
    Insert,
    OfferTools,
    Raise,
    ReplaceAll,
    ReplaceLast,
    ReturnNothing,
    Rewrite,
    SetCalls,
    SetInstruction,
    SetReturnDirectly,
    SetState,
    SetTools,
    SetToolSearch,
    Summarize,
)
from loopspec.contract.agents import Agent, AgentsMD, Hook, Legacy, Model, Plugin, Script, Scripted, Tool, Turn
from loopspec.contract.capabilities import Capability
from loopspec.contract.needs import needed_capabilities
from loopspec.contract.plugins import Edge, Module, Node, Strategy, Workflow
from loopspec.contract.scene import Run, Scene
from loopspec.contract.values import Began

HELLO = Message(role="user", content="Hello.")
PRESENT: dict[Hook, Capability] = {
    "before agent": "before-agent-hooks",
    "before model": "before-model-hooks",
    "around model": "model-wrappers",
    "after model": "after-model-hooks",
    "around tool": "tool-wrappers",
    "after agent": "after-agent-hooks",
}
EDITED: dict[Hook, Capability] = {
    "before agent": "before-agent-edits",
    "before model": "before-model-edits",
    "after model": "after-model-edits",
    "after agent": "after-agent-edits",
}
EDITS: tuple[Action, ...] = (
    Summarize(over=1), DropInstructions(), Insert(at=0, message=HELLO), ReplaceAll(), ReplaceLast(text="x"), SetCalls(),
    SetInstruction(text="x"), SetTools(), SetReturnDirectly(), SetToolSearch(tool="t"), SetState(key="k", value=1),
    Count(key="k"),
)  # fmt: skip
OWN_NEEDS: dict[type[Action], Capability] = {SetReturnDirectly: "return-directly", SetToolSearch: "tool-search"}


def of_agent(agent: Agent) -> frozenset[Capability]:
    return needed_capabilities(Scene(act="run", agent=agent, runs=(Run(id="1", messages=(HELLO,)),)))


def of_hook(hook: Hook, *actions: Action) -> frozenset[Capability]:
    return of_agent(Agent(handlers=(Scripted(name="H", scripts=(Script(hook=hook, actions=actions),)),)))


@pytest.mark.parametrize("hook", get_args(Hook))
@pytest.mark.parametrize("actions", [(), (Raise(code="E"), Hold(until=Began(run="1")))])
def test_a_handler_that_only_observes_needs_its_hook_alone(hook: Hook, actions: tuple[Action, ...]) -> None:
    """Failing and waiting change nothing."""
    assert of_hook(hook, *actions) == {PRESENT[hook]}
    plugin = Plugin(name="A", scripts=(Script(hook=hook, actions=actions),))
    assert of_agent(Agent(handlers=(plugin,))) == {PRESENT[hook]}


@pytest.mark.parametrize("hook", EDITED)
@pytest.mark.parametrize("action", EDITS, ids=lambda action: type(action).__name__)
def test_a_handler_that_changes_something_needs_the_edit_as_well(hook: Hook, action: Action) -> None:
    """The edit is that of the hook in which the action is scripted."""
    own = {OWN_NEEDS[type(action)]} if type(action) in OWN_NEEDS else set()

    assert of_hook(hook, action) == {PRESENT[hook], EDITED[hook], *own}


@pytest.mark.parametrize("hook", ["before model", "after model"])
def test_tools_that_a_hook_changes_are_no_edit_of_the_conversation(hook: Hook) -> None:
    """Deferred tools have a capability of their own as well."""
    assert of_hook(hook, OfferTools()) == {PRESENT[hook], "tools-from-hooks"}
    assert of_hook(hook, DeferTools()) == {PRESENT[hook], "tools-from-hooks", "deferred-tools"}


def test_a_wrapper_changes_tools_without_a_further_capability() -> None:
    """A wrapper exists to change the request."""
    assert of_hook("around model", OfferTools(tools=("t",))) == {"model-wrappers"}


@pytest.mark.parametrize(
    ("hook", "actions", "needed"),
    [
        ("around model", (CallInner(),), set()),
        ("around model", (CallInner(fallback="x"),), set()),
        ("around model", (CallInner(), Answer(text="x")), set()),
        ("around model", (CallInner(), CallInner()), {"repeated-inner-calls"}),
        ("around tool", (CallInner(tries=2),), {"repeated-inner-calls"}),
        ("around tool", (AddOption(key="k", value=1),), {"tool-options"}),
        ("around tool", (Rewrite(text='{"b":  2}'),), set()),
        ("around tool", (Rewrite(text="no JSON"),), {"raw-arguments"}),
        ("around model", (Rewrite(text="no JSON"),), set()),
        ("before model", (ReturnNothing(),), {"missing-results"}),
    ],
)
def test_what_actions_need(hook: Hook, actions: tuple[Action, ...], needed: set[Capability]) -> None:
    """Needs of an action, in addition to its hook."""
    assert of_hook(hook, *actions) == {PRESENT[hook], *needed}


def observer(name: str, *hooks: Hook) -> Scripted:
    return Scripted(name=name, scripts=tuple(Script(hook=hook) for hook in hooks))


def test_handlers_are_several_if_they_have_the_same_hook() -> None:
    """Handlers with different hooks can be parts of one object; the AgentsMD middleware has a before-model hook."""
    apart = (observer("H1", "before model"), observer("H2", "after model"))
    same = (*apart, observer("H3", "after model"))
    agentsmd = (AgentsMD(), observer("H1", "before model"))

    for handlers, expected in ((apart, False), (same, True), (agentsmd, True), ((AgentsMD(), apart[1]), False)):
        assert ("several-handlers" in of_agent(Agent(handlers=handlers))) is expected


@pytest.mark.parametrize(
    ("edges", "expected"),
    [
        ((("a", "m1"), ("a", "m2")), True),
        ((("a", "m1"), ("b", "m2")), False),
        ((("b", "m1"), ("b", "m2")), True),
        ((("a", "m1"),), False),
        ((("m1", "m2"), ("a", "m1")), False),
    ],
)
def test_middlewares_of_a_workflow_are_several_if_one_agent_has_them(
    edges: tuple[tuple[str, str], ...], expected: bool
) -> None:
    """A node without a connection to the agent is not counted."""
    makes = Plugin(name="p", scripts=(Script(hook="before model"),))
    agents = (Node(key="a", kind="agent"), Node(key="b", kind="agent"))
    nodes = (*agents, *(Node(key=key, provider="p") for key in ("m1", "m2")))
    scene = Scene(
        act="run",
        agent=Agent(name="a"),
        modules=(Module(name="m", strategies=(Strategy(provider="p", makes=makes),)),),
        workflow=Workflow(nodes=nodes, edges=tuple(Edge(source=source, target=target) for source, target in edges)),
    )

    assert ("several-handlers" in needed_capabilities(scene)) is expected
    handled = replace(scene, agent=Agent(name="a", handlers=(observer("H", "before model"),)))
    assert ("several-handlers" in needed_capabilities(handled)) is (expected or ("a", "m1") in edges)


def test_functions_of_legacy_middlewares_are_no_hooks_of_handlers() -> None:
    """The capability `legacy` has them."""
    scripts = (Script(hook="before model", actions=(ReplaceLast(text="x"),)), Script(hook="around tool"))

    assert of_agent(Agent(legacy=(Legacy(name="L", scripts=scripts),))) == {"legacy"}


@pytest.mark.parametrize(
    ("args", "raw"),
    [
        ("{}", False),
        ('{"a": 1}', False),
        ('{"a":1,"b":[2.5,null]}', False),
        ('{"city": "Köln"}', False),
        ("", True),
        ("no JSON", True),
        ("[]", True),
        ('{"a": 1, "a": 2}', True),
        ('{"a": 1e3}', True),
    ],
)
def test_arguments_that_parsing_would_change_are_raw(args: str, raw: bool) -> None:
    """Spaces between the parts of JSON are no change, since arguments are compared as JSON."""
    call = ToolCall(id="c", name="t", args=args)
    turns = (Turn(tool_calls=(call,)), Turn())
    agents = [Agent(model=Model(turns=turns)), Agent(additional_models=(Model(turns=turns),))]
    agents.append(Agent(tools=(Tool(name="sub", agent=agents[0]),)))
    scenes = [Scene(act="run", agent=agent) for agent in agents]
    scenes.append(Scene(act="run", runs=(Run(id="1", turns={"model": turns}),)))
    scenes.append(Scene(act="run", runs=(Run(id="1", messages=(Message(role="assistant", tool_calls=(call,)),)),)))

    assert ["raw-arguments" in needed_capabilities(scene) for scene in scenes] == [raw] * 5
    for action in (SetCalls(calls=(call,)), ReplaceAll(messages=(Message(role="assistant", tool_calls=(call,)),))):
        assert ("raw-arguments" in of_hook("after model", action)) is raw


@pytest.mark.parametrize(
    ("tool", "needed"),
    [
        (Tool(name="t", kinds=()), {"incomplete-tools"}),
        (Tool(name="t", nameless=True), {"incomplete-tools"}),
        (Tool(name="t", nothing=True), {"missing-results"}),
        (Tool(name="t", kinds=("streamable",)), {"streaming-tools"}),
    ],
)
def test_what_tools_need(tool: Tool, needed: set[Capability]) -> None:
    """Tools of the agent, additional tools and tools of middlewares need the same."""
    assert of_agent(Agent(tools=(tool,))) == needed
    assert of_agent(Agent(additional_tools=(tool,))) == needed
    assert of_agent(Agent(handlers=(Plugin(name="A", tools=(tool,)),))) == needed


def test_a_model_without_an_answer_is_needed() -> None:
    """As an answer of the model, and as an answer in one run."""
    assert of_agent(Agent(model=Model(turns=(Turn(nothing=True),)))) == {"missing-results"}
    run = Run(id="1", turns={"model": (Turn(nothing=True),)})
    assert needed_capabilities(Scene(act="run", runs=(run,))) == {"missing-results"}
