"""The specs of a scene's agents, as an adapter receives them."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from loopspec.protocol.decoding import agent_from, modules_from
from loopspec.protocol.encoding import Encoder, encode_modules
from loopspec.protocol.specs import AgentSpec, HookSpec, RetrySpec

from loopspec.contract.actions import Jump
from loopspec.contract.agents import Agent, Failover, Model, Plugin, Retry, Script, Scripted, Tool, Turn
from loopspec.contract.plugins import Module, Strategy, strategies_by_key
from loopspec.contract.values import Error
from loopspec.specification.cases import Case
from loopspec.specification.features import compiled
from loopspec.stage import LiveStage

# every distinct agent of the suite
SHOWN: dict[bytes, Case] = {msgspec.json.encode(case.scene.agent): case for case in compiled()}


def sent(agent: Agent, case: Case | None = None) -> AgentSpec:
    """The spec that an adapter receives for an agent."""
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


def test_an_adapter_in_python_decodes_everything_that_is_sent() -> None:
    """Encoding, JSON and decoding preserve every agent of the suite."""
    for case in SHOWN.values():
        first = sent(case.scene.agent, case)
        decoded = agent_from(msgspec.json.decode(msgspec.json.encode(first), type=AgentSpec))

        assert sent(decoded, case) == first


def test_the_actions_of_doubles_are_not_sent() -> None:
    """Turns, texts and scripts are not sent, so an adapter cannot act for a double."""
    names = {name for case in SHOWN.values() for name in _names(msgspec.to_builtins(sent(case.scene.agent, case)))}

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


def test_scripts_are_sent_as_hooks() -> None:
    """Each hook is sent once, in the order of the calls."""
    scripts = (Script(hook="after agent"), Script(hook="before model"), Script(hook="before model"))
    agent = Agent(handlers=(Scripted(name="H", scripts=scripts),))

    (handler,) = sent(agent).handlers

    assert msgspec.to_builtins(handler) == {
        "handler": "scripted",
        "name": "H",
        "hooks": ("before model", "after agent"),
    }


def test_the_jump_targets_of_a_hook_are_sent() -> None:
    """An adapter declares jump targets where its framework requires them."""
    plugin = Plugin(name="P", scripts=(Script(hook="after model", actions=(Jump(target="tools"), Jump(target="end"))),))

    (sent_plugin,) = sent(Agent(handlers=(plugin,))).handlers

    assert getattr(sent_plugin, "hooks", None) == (HookSpec(hook="after model", jumps_to=("end", "tools")),)


@pytest.mark.parametrize(
    ("retry", "configured"),
    [
        (Retry(max_retries=3), (False, False, False)),
        (Retry(max_retries=3, codes=("a",)), (True, False, False)),
        (Retry(max_retries=3, rejects=("bad",)), (False, True, False)),
        (Retry(max_retries=3, delays=True), (False, False, True)),
    ],
)
def test_the_configured_functions_of_a_retry_are_sent(retry: Retry, configured: tuple[bool, bool, bool]) -> None:
    """The results of the functions are not sent."""
    retryable, accepted, delay = configured
    wanted = RetrySpec(max_retries=3, has_is_retryable=retryable, has_is_accepted=accepted, has_delay=delay)

    assert sent(Agent(retry=retry)).retry == wanted


def test_models_of_a_failover_are_sent_by_name() -> None:
    """The answers of the models are not sent."""
    additional = Model(name="additional", turns=(Turn(text="secret"),))

    failover = sent(Agent(failover=Failover(models=(additional,), limit=2, chooses=False))).failover

    assert failover is not None
    assert ([model.name for model in failover.models], failover.limit) == (["additional"], 2)
    assert (failover.has_should_failover, failover.has_next_model) == (True, False)
    assert b"secret" not in msgspec.json.encode(failover)


def test_a_tool_without_information_is_sent_with_its_error() -> None:
    """The adapter fails with this code."""
    nameless, known = sent(Agent(tools=(Tool(name="t", nameless=True), Tool(name="u", error=Error(kind="io"))))).tools

    assert (nameless.info, nameless.info_error) == (None, "no information")
    assert (known.info and known.info.name, known.info_error) == ("u", None)


def test_strategies_have_keys_by_their_index() -> None:
    """Two strategies of one provider have different keys."""
    modules = (
        Module(name="a", strategies=(Strategy(provider="x"), Strategy(provider="y", decorated=False))),
        Module(name="b", strategies=(Strategy(provider="x", lacks="maker"),)),
    )

    specs = encode_modules(modules)

    assert [one.key for module in specs for one in module.strategies] == ["0.0", "0.1", "1.0"]
    assert strategies_by_key(modules)["1.0"] is modules[1].strategies[0]
    assert modules_from(specs) == modules
