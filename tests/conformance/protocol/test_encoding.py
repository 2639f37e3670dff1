"""What an adapter is told of a scene's agents."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from loopspec.contract.actions import Jump
from loopspec.contract.agents import Agent, Failover, Model, Plugin, Retry, Script, Scripted, Tool, Turn
from loopspec.contract.plugins import Module, Strategy
from loopspec.contract.values import Error
from loopspec.protocol.encoding import Encoder, agent_from, encode_modules, modules_from, strategies_by_key
from loopspec.protocol.specs import AgentSpec, HookSpec, RetrySpec
from loopspec.specification.cases import Case
from loopspec.specification.features import compiled
from loopspec.stage import LiveStage

# Every agent there is in the suite, once.
SHOWN: dict[bytes, Case] = {msgspec.json.encode(case.scene.agent): case for case in compiled()}


def told(agent: Agent, case: Case | None = None) -> AgentSpec:
    """What is told of an agent."""
    scene = (case or compiled()[0]).scene
    return Encoder(LiveStage(msgspec.structs.replace(scene, agent=agent), "agent").doubles.info).agent(agent)


def _names(value: object) -> Iterator[str]:
    match value:
        case dict():
            yield from value
            for one in value.values():
                yield from _names(one)
        case list() | tuple():
            for one in value:
                yield from _names(one)


def test_all_that_is_told_is_understood_by_an_adapter_in_python() -> None:
    """There and back, through JSON, it is the same for all agents of the suite."""
    for case in SHOWN.values():
        first = told(case.scene.agent, case)
        understood = agent_from(msgspec.json.decode(msgspec.json.encode(first), type=AgentSpec))

        assert told(understood, case) == first


def test_nothing_of_what_doubles_will_do_is_told() -> None:
    """No turns, no texts, no scripts: an adapter cannot play a double."""
    names = {name for case in SHOWN.values() for name in _names(msgspec.to_builtins(told(case.scene.agent, case)))}

    assert {
        "turns",
        "scripts",
        "actions",
        "held",
        "texts",
        "text",
        "chunks",
        "codes",
        "rejects",
        "error",
    } & names == set()
    assert {"name", "tools", "handlers", "hooks", "kinds"} <= names


def test_scripts_are_told_as_hooks() -> None:
    """Each once, in the order in which they are called."""
    scripts = (Script(hook="after agent"), Script(hook="before model"), Script(hook="before model"))
    agent = Agent(handlers=(Scripted(name="H", scripts=scripts),))

    (handler,) = told(agent).handlers

    assert msgspec.to_builtins(handler) == {
        "handler": "scripted",
        "name": "H",
        "hooks": ("before model", "after agent"),
    }


def test_where_a_hook_jumps_is_told() -> None:
    """An adapter has to declare it where its framework wants that."""
    plugin = Plugin(name="P", scripts=(Script(hook="after model", actions=(Jump(target="tools"), Jump(target="end"))),))

    (told_plugin,) = told(Agent(handlers=(plugin,))).handlers

    assert getattr(told_plugin, "hooks", None) == (HookSpec(hook="after model", jumps_to=("end", "tools")),)


@pytest.mark.parametrize(
    ("retry", "asked"),
    [
        (Retry(max_retries=3), (False, False, False)),
        (Retry(max_retries=3, codes=("a",)), (True, False, False)),
        (Retry(max_retries=3, rejects=("bad",)), (False, True, False)),
        (Retry(max_retries=3, delays=True), (False, False, True)),
    ],
)
def test_which_functions_of_a_retry_are_configured_is_told(retry: Retry, asked: tuple[bool, bool, bool]) -> None:
    """And not what they will say."""
    retryable, accepted, delay = asked
    wanted = RetrySpec(max_retries=3, asks_retryable=retryable, asks_accepted=accepted, asks_delay=delay)

    assert told(Agent(retry=retry)).retry == wanted


def test_models_of_a_failover_are_told_by_name() -> None:
    """Without what they answer."""
    spare = Model(name="spare", turns=(Turn(text="secret"),))

    failover = told(Agent(failover=Failover(models=(spare,), limit=2, chooses=False))).failover

    assert failover is not None
    assert ([model.name for model in failover.models], failover.limit) == (["spare"], 2)
    assert (failover.asks_whether, failover.asks_which) == (True, False)
    assert b"secret" not in msgspec.json.encode(failover)


def test_a_tool_without_information_is_told_as_such() -> None:
    """Its code comes along, for the adapter to fail with."""
    nameless, known = told(Agent(tools=(Tool(name="t", nameless=True), Tool(name="u", error=Error(kind="io"))))).tools

    assert (nameless.info, nameless.info_error) == (None, "no information")
    assert (known.info and known.info.name, known.info_error) == ("u", None)


def test_strategies_are_known_by_their_places() -> None:
    """Two of one provider are told apart."""
    modules = (
        Module(name="a", strategies=(Strategy(provider="x"), Strategy(provider="y", decorated=False))),
        Module(name="b", strategies=(Strategy(provider="x", lacks="maker"),)),
    )

    specs = encode_modules(modules)

    assert [one.key for module in specs for one in module.strategies] == ["0.0", "0.1", "1.0"]
    assert strategies_by_key(modules)["1.0"] is modules[1].strategies[0]
    assert modules_from(specs) == modules
