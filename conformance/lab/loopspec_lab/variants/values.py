"""The variant whose handlers, tools and callers pass false values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from zlib import crc32

import msgspec
from msgspec.structs import replace

from loopspec.contract.actions import SendEvent, SetLocal, SetSession
from loopspec.contract.agents import Plugin
from loopspec.contract.around import AddOption, Count, GiveCommand, SetState
from loopspec.contract.calls import Command
from loopspec.contract.observation import Event, HookCall, Observation, RunEnd, ToolRun
from loopspec.contract.scene import Run, Scene
from loopspec.contract.values import Json, Value

from .facts import Facts, found, mapped
from .variant import Variant, Varied

# A float that is a whole number is none of these: some languages write it as an integer.
_FALSE: Sequence[Json] = (False, 0, "", [], {})

_ANY = (bool, int, float, str, list, dict, type(None))
_TYPES = {"text": (str,), "number": (int, float), "list": (list,), "any": _ANY}
_SETTING = (SetLocal, SetSession, AddOption, SetState)
_EVENT, _ANSWER = "\0event", "\0answer"  # the keys of values without a key


def _given(scene: Scene) -> Iterator[tuple[str, Json]]:
    """The values of any type that the scene passes to the implementation, each with its key.

    None is a value that an instruction shows, or that a middleware's state gets in another way as well.
    """
    templates = "".join(agent.instruction for agent in Facts(scene).agents)
    own = {one.key for one in found(scene, (Count,)) if isinstance(one, Count)}
    for one in found(scene, (GiveCommand, Command, Plugin)):
        match one:
            case Plugin(state=state):
                own |= {field.name for field in state or () if field.default is not None}
            case GiveCommand(state=fields) | Command(state=fields):
                own |= fields.keys()
    for one in found(scene, (*_SETTING, SendEvent, Run)):
        match one:
            case SetLocal(typed=typed) if typed is not None:
                continue
            case SetLocal() | SetSession() | AddOption() if f"{{{one.key}}}" not in templates:
                yield one.key, one.value
            case SetState(key=key, value=value) if key not in own:
                yield key, value
            case SendEvent():
                yield _EVENT, one.payload
            case Run():
                yield from ((_ANSWER, value) for value in (*one.answers.values(), *one.call_answers.values()))


@dataclass(frozen=True)
class Replacement:
    """Other values for values, one to one under each key; a value that has no other one stays as it is."""

    others: Mapping[tuple[str, bytes], Json]

    @classmethod
    def of(cls, scene: Scene, values: Sequence[Json]) -> Replacement:
        """The replacement of the values of a scene. Which value follows which depends on the key and the first one."""
        by_key: dict[str, dict[bytes, None]] = {}
        for key, value in _given(scene):
            by_key.setdefault(key, {})[msgspec.json.encode(value)] = None
        plugins = [one for one in found(scene, (Plugin,)) if isinstance(one, Plugin)]
        types = {field.name: _TYPES[field.type] for plugin in plugins for field in plugin.state or ()}
        others: dict[tuple[str, bytes], Json] = {}
        for key, old in by_key.items():
            fitting = [one for one in values if type(one) in types.get(key, _ANY)]
            if len(old) <= len(fitting) and all(type(msgspec.json.decode(one)) in types.get(key, _ANY) for one in old):
                start = crc32(key.encode() + next(iter(old)))
                others |= {(key, one): fitting[(start + at) % len(fitting)] for at, one in enumerate(old)}
        return cls(others)

    def inverse(self) -> Replacement:
        """The replacement of the other values by the old ones."""
        return Replacement(
            {(key, msgspec.json.encode(new)): msgspec.json.decode(old) for (key, old), new in self.others.items()}
        )

    def _other(self, key: str, value: Json) -> Json:
        return self.others.get((key, msgspec.json.encode(value)), value)

    def _all(self, values: Mapping[str, Json], key: str | None = None) -> dict[str, Json]:
        return {name: self._other(key or name, value) for name, value in values.items()}

    def in_scene(self, scene: Scene) -> Scene:
        """The scene with the other values."""

        def change(one: Value) -> Value:
            match one:
                case SetLocal(typed=typed) if typed is not None:
                    return one
                case SetLocal() | SetSession() | AddOption() | SetState():
                    return replace(one, value=self._other(one.key, one.value))
                case SendEvent():
                    return replace(one, payload=self._other(_EVENT, one.payload))
                case Run(answers=answers, call_answers=by_call):
                    return replace(one, answers=self._all(answers, _ANSWER), call_answers=self._all(by_call, _ANSWER))
            return one

        return mapped(scene, (*_SETTING, SendEvent, Run), change)

    def __call__(self, seen: Observation) -> Observation:
        """The observation with the other values."""

        def hook(call: HookCall) -> HookCall:
            view = call.view and replace(call.view, own=self._all(call.view.own))
            return replace(call, found=self._all(call.found), options=self._all(call.options), view=view)

        def tool(call: ToolRun) -> ToolRun:
            resumed = call.resumed and replace(call.resumed, data=self._other(_ANSWER, call.resumed.data))
            return replace(call, found=self._all(call.found), options=self._all(call.options), resumed=resumed)

        def event(one: Event) -> Event:
            is_other = one.message or one.chunks is not None or one.error or one.interrupt
            return one if is_other else replace(one, custom=self._other(_EVENT, one.custom))

        def end(run: RunEnd) -> RunEnd:
            return replace(run, session=self._all(run.session), state=self._all(run.state))

        return replace(
            seen,
            hooks=tuple(map(hook, seen.hooks)),
            tool_runs=tuple(map(tool, seen.tool_runs)),
            events=tuple(map(event, seen.events)),
            runs=tuple(map(end, seen.runs)),
        )


def _with_false_values(scene: Scene) -> Varied:
    replacement = Replacement.of(scene, _FALSE)
    return Varied(replacement.in_scene(scene), (replacement.inverse(),))


def _gives_values(facts: Facts) -> bool:
    return facts.is_run and not facts.hooks_interrupt and any(_given(facts.scene))


VARIANTS = (Variant("false-values", _gives_values, _with_false_values),)
