"""A call of a scripted hook: its entry in the record, and the actions it does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from msgspec.structs import replace

from ..contract.actions import Action, ReturnNothing
from ..contract.agents import Hook
from ..contract.doubles import BegunAnswer, Inner
from ..contract.observation import HookCall
from ..contract.values import Json, Message
from .acting import Findings, act
from .index import SceneIndex
from .record import Record, current_context, current_run
from .scripts import actions_of
from .wrapping import A, Wrapping


@dataclass
class HookUnderWay:
    """A call of a hook under way. `number` counts the calls of the hook in the run."""

    entry: HookCall
    number: int
    actions: tuple[Action, ...]
    findings: Findings = field(default_factory=Findings)

    @property
    def returns_nothing(self) -> bool:
        """Whether the hook makes the mistake of returning nothing."""
        return any(isinstance(action, ReturnNothing) for action in self.actions)


class HookCalls:
    """Calls scripted hooks, and records the calls."""

    def __init__(self, index: SceneIndex, record: Record) -> None:
        self._index = index
        self._record = record

    async def wrapped(self, call: HookUnderWay, wrapping: Wrapping[A], inner: Inner) -> BegunAnswer[A] | A | None:
        """Do the actions of a wrapper; return its answer."""
        for action in call.actions:
            if not await wrapping.act(action):
                await act(action, inner, self._record, call.findings)
        answer = await wrapping.answer()
        return None if call.returns_nothing else answer

    def entry(
        self, handler: str, hook: Hook, messages: tuple[Message, ...] = (), tools: tuple[str, ...] | None = ()
    ) -> HookCall:
        """The entry of a call of a hook, before it is recorded."""
        context: dict[str, Json] = dict(current_context.get({}))
        run = current_run.get()
        return HookCall(n=0, handler=handler, hook=hook, run=run, messages=messages, tools=tools, context=context)

    async def hold(self, call: HookUnderWay) -> None:
        """Wait for the gates of this call, if the scene holds it."""
        await self._record.hold(f"{call.entry.hook} {call.entry.handler}", call.number)

    @contextmanager
    def call(self, entry: HookCall, family: str | None = None, *, encloses: bool = True) -> Iterator[HookUnderWay]:
        """Record a call of a hook, and what it found once it is over.

        `family` names the call that the hook is about, a model call or a tool call; wrappers enclose what they call.
        """
        record, index = self._record, self._index
        name, agent = f"{entry.hook} {entry.handler}", index.owner(entry.handler)
        around = (entry.run, agent, family) if family is not None else None
        count = record.gates.called(name, entry.run)
        with record.span(name, agent, around, encloses=encloses and family is not None):
            entry = replace(entry, n=record.n)
            record.add(entry)
            scripts = index.script(entry.handler)
            call = HookUnderWay(entry, count, actions_of(scripts, entry.hook, count, entry.tool, entry.run))
            try:
                yield call
            finally:
                findings = call.findings
                record.update(
                    replace(
                        entry,
                        found=findings.found,
                        missing=tuple(findings.missing),
                        refused=findings.refused,
                        answer=findings.answer,
                    )
                )
