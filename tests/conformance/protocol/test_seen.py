"""An adapter never receives a script: it sees agents, modules and middlewares as `Value.seen` shows them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, cast, get_args

import msgspec
import pytest
from msgspec import NODEFAULT, Raw
from msgspec.structs import fields, replace

from loopspec.contract.acting import Hook
from loopspec.contract.agents import Agent, Legacy, Plugin, Retry, Scripted
from loopspec.contract.doubles import at_once
from loopspec.contract.errors import Reported
from loopspec.contract.plugins import Module, strategies_by_key
from loopspec.contract.roles import Role
from loopspec.contract.scene import Scene
from loopspec.contract.values import Error, Value
from loopspec.protocol import rpc
from loopspec.protocol.methods import FROM_ADAPTER, Method
from loopspec.protocol.rpc import Line
from loopspec.specification.features import compiled
from loopspec.stage import LiveStage
from loopspec.targets.process.adapter_run import AdapterRun
from loopspec.targets.process.coroutines import Tasks
from loopspec.targets.process.peer import Peer
from loopspec.targets.process.requests import AdapterRequests

CREATED = FROM_ADAPTER["plugin/create"]
ROLES: tuple[Role, ...] = ("agent", "plugins", "handler")


class Recorder:
    """A peer that records what is sent; each request fails."""

    def __init__(self) -> None:
        self.params: list[Any] = []
        self.replies: list[Raw] = []

    async def ask(self, method: Method, params: Value) -> Value:
        self.params.append(params)
        raise Reported(Error(kind="other"))

    def send(self, line: bytes) -> None:
        self.replies.append(cast("Raw", rpc.line_decoder.decode(line).result))


def sent(scene: Scene, role: Role) -> list[tuple[Value, Value]]:
    """The modules and the agent of a scene, each with what an adapter receives of it."""
    peer, tasks, stage = Recorder(), Tasks(), LiveStage(scene, role)
    requests = AdapterRequests(cast("Peer", peer), tasks, stage, 1)
    at_once(AdapterRun(cast("Peer", peer), tasks, stage, requests, 1).go())
    (params,) = peer.params
    lines = msgspec.json.decode(rpc.encode(params), type=dict[str, Raw])
    modules = msgspec.json.decode(lines.get("modules", b"[]"), type=tuple[Module, ...])
    pairs: list[tuple[Value, Value]] = list(zip(scene.modules, modules, strict=True))
    return [*pairs, (scene.agent, msgspec.json.decode(lines["agent"], type=Agent))] if "agent" in lines else pairs


def created(scene: Scene) -> list[tuple[Plugin, Plugin]]:
    """The middlewares that the factories of a scene make, each with what an adapter receives of it."""
    pairs: list[tuple[Plugin, Plugin]] = []
    for key, strategy in strategies_by_key(scene.modules).items():
        if strategy.makes is not None and not strategy.invalid:
            peer, tasks, stage = Recorder(), Tasks(), LiveStage(scene, "plugins")
            give_up = stage.attach(tasks.place, {})
            options = dict.fromkeys(strategy.requires, "x")
            params = CREATED.params(case=1, strategy=key, node="n", agent=scene.agent.name, options=options)
            line = Line(id="a1", method=CREATED.name, params=Raw(rpc.encode(params)))
            AdapterRequests(cast("Peer", peer), tasks, stage, 1).serve(line)
            while not peer.replies:
                tasks.move()
                give_up()
            made = msgspec.json.decode(msgspec.json.decode(peer.replies[0], type=dict[str, Raw])["value"], type=Plugin)
            pairs.append((replace(strategy.makes, name="n"), made))
    return pairs


@pytest.fixture(scope="module")
def pairs() -> list[tuple[Value, Value]]:
    """What each scene of the suite has, and what an adapter receives of it."""
    found: list[tuple[Value, Value]] = []
    for case in compiled():
        role = next((role for role in ROLES if role in case.roles), None)
        if role is not None and case.scene.act != "outside":
            found += [*sent(case.scene, role), *created(case.scene)]
    return found


def values_in(value: object) -> Iterator[Value]:
    """A value, and each one inside it."""
    if isinstance(value, Value):
        yield value
        for name in value.__struct_fields__:
            yield from values_in(getattr(value, name))
    elif isinstance(value, tuple | list):
        for one in value:
            yield from values_in(one)
    elif isinstance(value, dict):
        yield from values_in(list(value.values()))


def scripts_in(value: Value) -> set[tuple[str, str]]:
    """The scripted fields that have a value, by type and name."""
    return {
        (type(one).__name__, name)
        for one in values_in(value)
        for name, default in defaults(type(one)).items()
        if getattr(one, name) != default
    }


@cache
def defaults(kind: type[Value]) -> dict[str, object]:
    """The defaults of the scripted fields of a type."""
    hidden = [one for one in fields(kind) if one.name in kind.scripted]
    return {one.name: one.default if one.default_factory is NODEFAULT else one.default_factory() for one in hidden}


def outline(value: object) -> object:
    """What an adapter has to see of a value: of scripts, the hooks in their order with their jumps."""
    if isinstance(value, Retry):
        return value.max_retries, value.codes is not None, bool(value.rejects), value.delays
    if isinstance(value, Value):
        known = {one: outline(getattr(value, one)) for one in value.__struct_fields__ if one not in value.scripted}
        if isinstance(value, Scripted | Legacy | Plugin):
            jumps = value.jumps_from if isinstance(value, Plugin) else lambda hook: ()
            known["scripts"] = [(hook, sorted(jumps(hook))) for hook in get_args(Hook) if hook in value.hooks]
        return known
    return [outline(one) for one in value] if isinstance(value, tuple) else value


def test_no_script_is_sent(pairs: list[tuple[Value, Value]]) -> None:
    """Of no agent, no module, and no middleware that a factory makes."""
    there_are = set[tuple[str, str]]().union(*(scripts_in(scene) for scene, _ in pairs))

    assert {type(shown) for _, shown in pairs} == {Agent, Module, Plugin}
    assert {("Model", "turns"), ("Script", "actions"), ("Tool", "text"), ("Strategy", "makes")} <= there_are
    assert [shown for _, shown in pairs if scripts_in(shown)] == []


def test_everything_else_is_sent(pairs: list[tuple[Value, Value]]) -> None:
    """Each hook is sent once, in the order of the calls; of retries, which functions are configured."""
    assert [shown for scene, shown in pairs if outline(scene) != outline(shown)] == []

    parts = [one for _, shown in pairs for one in values_in(shown)]
    hooks = [[script.hook for script in one.scripts] for one in parts if isinstance(one, Scripted | Legacy | Plugin)]
    assert [one for one in hooks if one != sorted(set(one), key=get_args(Hook).index)] == []
    retries = [one for one in parts if isinstance(one, Retry)]
    assert {(one.codes, one.rejects) for one in retries} == {(None, ()), ((), ()), (None, ("",))}


def test_what_is_sent_comes_back(pairs: list[tuple[Value, Value]]) -> None:
    """Encoded and decoded, it is what `seen` shows, in which nothing more is hidden."""
    for scene, shown in pairs:
        back = msgspec.json.decode(msgspec.json.encode(shown), type=type(scene))
        assert back == shown == scene.seen() == shown.seen()
