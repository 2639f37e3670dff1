"""What a scene needs of a target: what values declare, and what depends on several of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest
from msgspec import Struct
from msgspec.structs import fields, replace

from loopspec import Message, ToolCall
from loopspec.contract.acting import ActionKind, Hook
from loopspec.contract.actions import (
    KINDS,
    DeferTools,
    Hold,
    OfferTools,
    Raise,
    ReplaceAll,
    ReplaceLast,
    Script,
    SetCalls,
    SetInstruction,
)
from loopspec.contract.agents import (
    Agent,
    AgentsMD,
    Legacy,
    Model,
    Own,
    Plugin,
    Retry,
    Scripted,
    Summarization,
    TodoList,
    Tool,
    Turn,
)
from loopspec.contract.around import AddOption, Answer, CallInner, Rewrite
from loopspec.contract.calls import Decision
from loopspec.contract.capabilities import CAPABILITIES, Capability
from loopspec.contract.needs import needed_capabilities, needs_a_loop, serving_roles
from loopspec.contract.plugins import Edge, Module, Node, Strategy, Workflow
from loopspec.contract.roles import ROLES, Role
from loopspec.contract.scene import Ask, Cancel, File, ReadRequest, Run, Scene
from loopspec.contract.values import Began, Needs, Value
from loopspec.specification.features import compiled

HELLO = Message(role="user", content="Hello.")
NOW = Began(run="1")
OBSERVERS: tuple[Hook, ...] = get_args(Hook)


def running(*handlers: Any, run: Run | None = None, **agent: Any) -> Scene:  # Any: fields of an agent
    """A scene in which an agent with instructions runs."""
    runs = (run or Run(id="1", messages=(HELLO,)),)
    return Scene(act="run", agent=Agent(handlers=(AgentsMD(), *handlers), **agent), runs=runs)


def doing(*actions: ActionKind, hook: Hook = "before model", name: str = "H") -> Scripted:
    """A handler that performs these actions."""
    return Scripted(name=name, scripts=(Script(hook=hook, actions=actions),))


def of(handler: Any) -> frozenset[Capability]:  # Any: any handler
    """What an agent with one handler needs."""
    return needed_capabilities(Scene(act="run", agent=Agent(handlers=(handler,))))


# -- what is declared --------------------------------------------------------------------------------------------------


def classes(of: type[Value] = Scene) -> Iterator[type[Value]]:
    """The classes of the values of a scene."""
    known: list[type[Value]] = [of]
    for kind in known:
        yield kind
        for hint in get_type_hints(kind).values():
            known += [each for each in _inside(hint) if issubclass(each, Value) and each not in known]


def _inside(hint: Any) -> Iterator[type]:  # Any: a type, as annotations have it
    if isinstance(hint, type) and not get_args(hint):
        yield hint
    for part in get_args(hint) if get_origin(hint) is not Literal else ():
        yield from _inside(part)


def test_each_capability_has_a_description_and_a_case_that_needs_it() -> None:
    """In alphabetical order; only a variant makes objects that are false."""
    needed = {capability for case in compiled() for capability in case.needs}

    assert list(CAPABILITIES) == sorted(CAPABILITIES)
    assert all(CAPABILITIES.values())
    assert all(ROLES.values())
    assert set(CAPABILITIES) - needed == {"falsy-objects"}
    assert needed <= set(CAPABILITIES)


def test_what_is_declared_is_a_capability() -> None:
    """Of a class, and of a field."""
    declared: set[Capability] = set()
    for kind in classes():
        if isinstance(own := getattr(kind, "needs", ()), tuple):
            declared.update(own)
        hints = get_type_hints(kind, include_extras=True).values()
        found = [one for hint in hints if get_origin(hint) is Annotated for one in get_args(hint)[1:]]
        declared |= {one.what for one in found if isinstance(one, Needs) and isinstance(one.what, str)}

    assert len(declared) > 40
    assert declared <= set(CAPABILITIES)


APPROVED = {"a": Decision(approved=True)}
LACKING = Legacy(name="L", tools=(Tool(name="t", nothing=True),))
MIXED = Tool(name="t", kinds=("invokable", "enhanced streamable"))
EXTRA = Turn(extras=({"k": 1},))
INNER = Tool(name="t", agent=Agent(name="inner", description="helps", retry=Retry()))


@pytest.mark.parametrize(
    ("scene", "needed"),
    [
        (running(), {"agentsmd"}),
        (replace(running(), act="hook"), set()),
        (running(tools=(INNER,)), {"agentsmd", "agent-tool", "retry"}),
        (running(tools=(Tool(name="t", agent=Agent(name="in")),)), {"agentsmd", "agent-tool", "required-descriptions"}),
        (running(additional_models=(Model(takes_tools=False),)), {"agentsmd", "tool-support"}),
        (running(run=Run(id="1", cancels=(Cancel(at=NOW),))), {"agentsmd", "cancel", "synchronous-cancel"}),
        (running(run=Run(id="1", cancels=(Cancel(at=NOW),), streaming=True)), {"agentsmd", "cancel", "streaming"}),
        (running(run=Run(id="2", resume="1")), {"agentsmd", "interrupt"}),
        (running(run=Run(id="2", resume="1", decisions=APPROVED)), {"agentsmd", "approvals"}),
        (running(additional_models=(Model(turns=(EXTRA,)),)), {"agentsmd", "extra-data"}),
        (running(run=Run(id="1", turns={"model": (EXTRA,)})), {"agentsmd", "extra-data"}),
        (running(legacy=(LACKING,)), {"agentsmd", "legacy", "missing-results"}),
        (running(tools=(Tool(name="t", kinds=()),)), {"agentsmd", "incomplete-tools"}),
        (running(tools=(MIXED,)), {"agentsmd", "streaming-tools", "enhanced-tools", "mixed-tools"}),
        (running(run=Run(id="1", streaming=True, thread="t")), {"agentsmd", "streaming", "threads"}),
        (Scene(act="load", languages=("en", "zh")), {"language-zh"}),
        (Scene(act="load", languages=("en",)), set()),
        (Scene(act="outside", tried=("get",)), {"run-values"}),
        (Scene(act="outside"), {"run-values", "send-event"}),
        (Scene(act="catalog"), {"registry"}),
        (running(Own(claim="no-op", unchanged=("results",))), {"agentsmd", "no-op", "keeps-results"}),
        (running(Summarization(), TodoList()), {"agentsmd", "summarization", "todo-list"}),
    ],
)
def test_needs_are_collected_from_all_values(scene: Scene, needed: set[Capability]) -> None:
    """Those of the defaults need nothing."""
    assert needed_capabilities(scene) == needed


# -- what depends on several values ------------------------------------------------------------------------------------


@pytest.mark.parametrize("hook", OBSERVERS)
@pytest.mark.parametrize("kind", [Scripted, Plugin])
def test_a_handler_needs_its_hook_and_the_edits_of_the_hook(hook: Hook, kind: type[Scripted | Plugin]) -> None:
    """Failing and waiting change nothing, and a wrapper exists to change something."""
    wraps = hook.startswith("around")
    present = f"{hook.removeprefix('around ')}-wrappers" if wraps else f"{hook.replace(' ', '-')}-hooks"
    edits = set() if wraps else {f"{hook.replace(' ', '-')}-edits"}
    tools = set() if wraps else {"tools-from-hooks"}

    def needs(*actions: ActionKind) -> set[Capability]:
        return set(of(kind(name="H", scripts=(Script(hook=hook, actions=actions),)))) - {present}

    assert needs() == needs(Raise(code="E"), Hold(until=NOW)) == set()
    assert needs(ReplaceLast(text="x")) == edits
    assert needs(OfferTools()) == tools
    assert needs(DeferTools()) == tools | {"deferred-tools"}


@pytest.mark.parametrize(
    ("hook", "actions", "needed"),
    [
        ("around model", (CallInner(fallback="x"), Answer(text="x")), set()),
        ("around model", (CallInner(), CallInner()), {"repeated-inner-calls"}),
        ("around tool", (CallInner(tries=2),), {"repeated-inner-calls"}),
        ("around tool", (AddOption(key="k", value=1),), {"tool-options"}),
        ("around tool", (Rewrite(text='{"b":  2}'),), set()),
        ("around tool", (Rewrite(text="no JSON"),), {"raw-arguments"}),
        ("around model", (Rewrite(text="no JSON"),), set()),
        ("before agent", (SetInstruction(text="x", append=True),), {"before-agent-edits", "reports-instruction"}),
    ],
)
def test_what_actions_need_together(hook: Hook, actions: tuple[ActionKind, ...], needed: set[Capability]) -> None:
    """In addition to the hook itself."""
    assert of(doing(*actions, hook=hook)) - of(doing(hook=hook)) == needed


def test_functions_of_legacy_middlewares_are_no_hooks_of_handlers() -> None:
    """The capability `legacy` has them."""
    scripts = (Script(hook="before model", actions=(ReplaceLast(text="x"),)), Script(hook="around tool"))
    scene = Scene(act="run", agent=Agent(legacy=(Legacy(name="L", scripts=scripts),)))

    assert needed_capabilities(scene) == {"legacy"}


def test_handlers_are_several_if_they_have_the_same_hook() -> None:
    """Handlers with different hooks can be parts of one object; the AgentsMD middleware has a before-model hook."""
    before, after = doing(name="H1"), doing(hook="after model", name="H2")
    for handlers, expected in (
        ((before, after), False),
        ((before, after, doing(hook="after model", name="H3")), True),
        ((AgentsMD(), before), True),
        ((AgentsMD(), after), False),
    ):
        scene = Scene(act="run", agent=Agent(handlers=handlers))
        assert ("several-handlers" in needed_capabilities(scene)) is expected


@pytest.mark.parametrize(
    ("edges", "expected"),
    [
        ((("a", "m1"), ("a", "m2")), True),
        ((("a", "m1"), ("b", "m2")), False),
        ((("b", "m1"), ("b", "m2")), True),
        ((("m1", "m2"), ("a", "m1")), False),
    ],
)
def test_middlewares_of_a_workflow_are_several_if_one_agent_has_them(
    edges: tuple[tuple[str, str], ...], expected: bool
) -> None:
    """A node without a connection to the agent is not counted, and a lookup calls no hook."""
    makes = Plugin(name="p", scripts=(Script(hook="before model"),))
    agents = (Node(key="a", kind="agent"), Node(key="b", kind="agent"))
    nodes = (*agents, *(Node(key=key, provider="p") for key in ("m1", "m2")))
    scene = Scene(
        act="run",
        agent=Agent(name="a"),
        modules=(Module(name="m", strategies=(Strategy(provider="p", makes=makes),)),),
        workflow=Workflow(nodes=nodes, edges=tuple(Edge(source=source, target=target) for source, target in edges)),
    )
    handled = replace(scene, agent=Agent(name="a", handlers=(doing(),)))

    assert ("several-handlers" in needed_capabilities(scene)) is expected
    assert ("several-handlers" in needed_capabilities(handled)) is (expected or ("a", "m1") in edges)
    assert "before-model-hooks" in needed_capabilities(scene)
    assert needed_capabilities(replace(scene, act="look up", workflow=None)) == {"registry"}


def test_resumed_runs() -> None:
    """Only another session has to be passed on resumption, and only one checkpoint is resumed more than once."""
    first, same = Run(id="1", session={"k": 1}), Run(id="2", resume="1", session={"k": 1})
    again, later = Run(id="3", resume="1"), Run(id="3", resume="2")

    def needs(*runs: Run) -> set[Capability]:
        found = needed_capabilities(Scene(act="run", runs=runs))
        return set(found) & {"session-on-resume", "checkpoint-reuse"}

    assert needs(first, same) == needs(first, Run(id="2"), Run(id="3")) == set()
    assert needs(Run(id="1"), same) == {"session-on-resume"}
    assert needs(Run(id="1"), Run(id="2", resume="1"), again) == {"checkpoint-reuse"}
    assert needs(Run(id="1"), Run(id="2", resume="1"), later) == set()


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
    """Wherever a tool is called. Spaces between the parts of JSON are no change: arguments are compared as JSON."""
    call = ToolCall(id="c", name="t", args=args)
    message = Message(role="assistant", tool_calls=(call,))
    scenes = [
        running(model=Model(turns=(Turn(tool_calls=(call,)),))),
        running(run=Run(id="1", messages=(message,))),
        running(doing(SetCalls(calls=(call,)))),
        running(doing(ReplaceAll(messages=(message,)))),
    ]

    assert ["raw-arguments" in needed_capabilities(scene) for scene in scenes] == [raw] * 4


@pytest.mark.parametrize(
    ("path", "needed"),
    [
        ("/p/a.md", set()),
        ("notes.md", set()),
        ("/p", {"directories"}),
        ("docs//notes.md", {"directories"}),
        ("./notes.md", {"directories"}),
        ("docs/../notes.md", {"directories"}),
        (".", {"directories"}),
        ("", {"directories"}),
        ("/p/a.md/b.md", {"directories"}),
        ("{outside}", {"confined"}),
        ("docs/{up}{outside}", {"confined"}),
    ],
)
def test_some_paths_need_a_store_with_folders(path: str, needed: set[Capability]) -> None:
    """A path in another spelling, and a path through or below a file."""
    read = Ask(requests=(ReadRequest(file_path=path),))
    assert needed_capabilities(Scene(act="read", files={"/p/a.md": File(text="A.")}, backend=(read,))) == needed


# -- roles -------------------------------------------------------------------------------------------------------------


def sample(hint: Any) -> Any:  # Any: a type, as annotations have it, and a value of it that is no default
    """A value of a type, other than the usual default."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return sample(parts[0])
    if origin is Literal:
        return parts[-1]
    if origin is tuple:
        return (sample(parts[0]),)
    if origin is dict:
        return {sample(parts[0]): sample(parts[1])}
    if parts:
        return sample(next(part for part in parts if part is not type(None)))
    if isinstance(hint, type) and issubclass(hint, Struct):
        hints = get_type_hints(hint)
        return hint(**{field.name: sample(hints[field.name]) for field in fields(hint) if field.required})
    return {bool: True, int: 3, float: 3.5, bytes: b"x"}.get(hint, "x")


def changed(value: Value) -> Iterator[tuple[str, Value]]:
    """The value with another value in each of its fields."""
    hints = get_type_hints(type(value))
    for field in fields(type(value)):
        known = getattr(value, field.name)
        other = not known if isinstance(known, bool) else sample(hints[field.name])
        yield field.name, replace(value, **{field.name: other})


def test_a_middleware_can_stand_for_an_agent_only_where_the_harness_plays_the_rest() -> None:
    """The fields of an agent, of its model, answers and tools, and of a run that need no agent."""
    plain = running(
        model=Model(turns=(Turn(text="x", tool_calls=(ToolCall(id="c", name="t"),)),)), tools=(Tool(name="t"),)
    )
    (run,), (tool,), model = plain.runs, plain.agent.tools, plain.agent.model
    assert model is not None
    assert serving_roles(plain) == ("agent", "middleware")

    def free(scenes: Iterator[tuple[str, Scene]]) -> set[str]:
        return {name for name, scene in scenes if not needs_a_loop(scene)}

    def with_agent(**fields: Any) -> Scene:  # Any: fields of an agent
        return replace(plain, agent=replace(plain.agent, **fields))

    turns = ((name, replace(model, turns=(turn,))) for name, turn in changed(model.turns[0]))
    assert free((name, replace(plain, agent=agent)) for name, agent in changed(plain.agent) if name != "handlers") == {
        *("name", "instruction", "model", "tools", "max_iterations")
    }
    assert free((name, with_agent(model=each)) for name, each in changed(model)) == {"name", "turns"}
    assert free((name, with_agent(model=each)) for name, each in turns) == {"text", "tool_calls", "error", "held"}
    assert free((name, with_agent(tools=(each,))) for name, each in changed(tool)) == {"name", "text", "error", "held"}
    assert free((name, replace(plain, runs=(each,))) for name, each in changed(run)) == {
        *("id", "messages", "history", "together")
    }
    others = with_agent(model=None), with_agent(handlers=()), replace(plain, listens=True)
    assert set(map(serving_roles, others)) == {("agent",)}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_an_action_survives_json_and_says_whether_it_needs_an_agent(kind: type[ActionKind]) -> None:
    """An action in another hook than those around the conversation needs an agent."""
    scene = running(doing(sample(kind)))

    assert msgspec.json.decode(msgspec.json.encode(scene), type=Scene) == scene
    assert needs_a_loop(scene) is not kind.in_middleware
    free = {hook for hook in OBSERVERS if not needs_a_loop(running(doing(hook=hook)))}
    assert free == {"before model", "after model"}


@pytest.mark.parametrize(
    ("scene", "roles"),
    [
        (Scene(act="read"), ("backend",)),
        (Scene(act="load through"), ("backend",)),
        (Scene(act="load"), ("loader", "middleware", "agent")),
        (Scene(act="create"), ("middleware", "agent")),
        (Scene(act="hook"), ("middleware",)),
        (Scene(act="outside"), ("agent",)),
        (Scene(act="look up"), ("plugins",)),
        (Scene(act="catalog"), ("plugins",)),
        (Scene(act="run", workflow=Workflow()), ("plugins",)),
        (running(Plugin(name="A")), ("plugins",)),
        (running(TodoList()), ("plugins",)),
        (running(Own()), ("handler",)),
    ],
)
def test_each_act_has_its_roles(scene: Scene, roles: tuple[Role, ...]) -> None:
    """Roles are listed in order of preference."""
    assert serving_roles(scene) == roles
