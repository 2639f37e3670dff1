"""Cases for tests, and targets that perform a function of the test."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import Any, Generic, TypeVar

import pytest

from loopspec import Identity, Message, Observation, Posture, Run, ScriptedError, Stage, Target, View
from loopspec.contract.axes import Postures
from loopspec.contract.calls import InvalidValue, ModelRequest, ToolAnswer, ToolRequest
from loopspec.contract.capabilities import Capability
from loopspec.contract.dialects import DEFAULT_DIALECT, dialect, dialect_names, observed_dialect_names
from loopspec.contract.reasons import Inapplicable
from loopspec.contract.roles import Role
from loopspec.contract.scene import Scene
from loopspec.contract.values import Json
from loopspec.engine.judge import role_for
from loopspec.engine.perform import perform
from loopspec.engine.result import Result, Verdict
from loopspec.engine.run import SuiteRun
from loopspec.reports.jsonl import Report
from loopspec.specification.cases import Case
from loopspec.specification.features import compiled
from loopspec.stage import LiveStage
from loopspec.targets.drivers import AsyncioDriver
from loopspec.targets.python import PythonTarget
from loopspec.targets.resolve import resolve

# What middlewares of the plugin layer receive, and what the next handler returns.
BRIEF = Message(role="system", content="Be brief.")
HELLO = Message(role="user", content="Hello.")
E = ScriptedError("E")
ONE, TWO = Run(id="1"), Run(id="2")
VIEW = View(own={"n": 1}, context={"user": "u"})


@cache
def case_of(rule: str, number: int = 0) -> Case:
    """A case of a rule."""
    return [case for case in compiled() if rule in case.rule.ids][number]


def role_of(case: Case, target: Target) -> Role:
    """The role in which the target performs the case, whatever posture the case presupposes."""
    role = role_for(replace(case, postures={}), target)
    assert not isinstance(role, Inapplicable), role
    return role


def dialect_for(case: Case) -> str:
    """The first dialect in which a target is judged by a case about a workspace; the default one for another case."""
    return dialects_for(case)[0]


def dialects_for(case: Case) -> list[str]:
    """The dialects in which a target is judged by a case about a workspace; the default one for another case."""
    if case.scene.workspace is None:
        return [DEFAULT_DIALECT]
    return [
        name
        for name in (*dialect_names(), *observed_dialect_names())
        if all(dialect(name).value(axis) == value for axis, value in case.postures.items())
        and not dialect(name).lacks(case.scene.workspace)
    ]


def result_of(case: Case, verdict: Verdict, message: str = "", seconds: float = 0.0) -> Result:
    """A result of a case."""
    return Result(case.id, case.rule.ids, verdict, seconds, message=message)


class Acting:
    """A target whose one act is a function."""

    identity = Identity(name="acting", version="1")
    isolated = False
    unusable = ""
    evidence: Mapping[str, str] = {}

    def __init__(
        self,
        act: Callable[[Stage], None] = lambda stage: None,
        roles: Iterable[Role] = ("loader",),
        capabilities: Iterable[Capability] = (),
        postures: Postures = MappingProxyType[str, Posture]({}),
    ) -> None:
        self.act = act
        self.postures = postures
        self.roles = frozenset(roles)
        self.capabilities = frozenset(capabilities)
        self.closed = 0

    def perform(self, stage: Stage) -> None:
        """Call the function."""
        self.act(stage)

    def close(self) -> None:
        """Count the call."""
        self.closed += 1

    def rebuilt(self) -> Acting:
        """Return the target itself."""
        return self


A = TypeVar("A")


class BegunAnswer(Generic[A]):
    """An answer that has begun, and ends or breaks."""

    def __init__(self, answer: A, broken: Exception | None = None) -> None:
        self._answer = answer
        self._broken = broken

    async def complete(self) -> A:
        """The complete answer."""
        if self._broken:
            raise self._broken
        return self._answer


class Inside:
    """The implementation as seen by a handler: the next handler answers with the request it receives.

    `fails` is raised by each call; `breaks` is raised by an answer that has begun.
    """

    def __init__(self, fails: Exception | None = None, breaks: Exception | None = None) -> None:
        self.local: dict[str, object] = {}
        self.session: dict[str, Json] = {}
        self.events: list[Json] = []
        self.assigned: dict[str, Json] = {}
        self.models: list[ModelRequest | InvalidValue] = []
        self.tools: list[ToolRequest | InvalidValue] = []
        self._fails = fails
        self._breaks = breaks

    def _try(self) -> None:
        if self._fails:
            raise self._fails

    def set_local(self, key: str, value: object) -> None:
        """Set the value."""
        self._try()
        self.local[key] = value

    def get_local(self, key: str) -> tuple[object, bool]:
        """Return the value."""
        self._try()
        return self.local.get(key), key in self.local

    def delete_local(self, key: str) -> None:
        """Delete the value."""
        self._try()
        self.local.pop(key, None)

    def set_session(self, key: str, value: Json) -> None:
        """Set the value."""
        self._try()
        self.session[key] = value

    def get_session(self, key: str) -> tuple[Json, bool]:
        """Return the value."""
        self._try()
        return self.session.get(key), key in self.session

    def send_event(self, payload: Json) -> None:
        """Record the event."""
        self._try()
        self.events.append(payload)

    def send_message(self, text: str) -> None:
        """Record the message as an event."""
        self._try()
        self.events.append({"sent": text})

    def assign(self, key: str, value: Json) -> None:
        """Change the value of the runtime context."""
        self._try()
        self.assigned[key] = value

    async def model(self, request: ModelRequest | InvalidValue) -> BegunAnswer[Message]:
        """Answer with the content of the last message, or reject what is no request."""
        self.models.append(request)
        self._try()
        if isinstance(request, InvalidValue):
            raise TypeError("this is not a request")
        return BegunAnswer(Message(role="assistant", content=f"model: {request.messages[-1].content}"), self._breaks)

    async def tool(self, request: ToolRequest | InvalidValue) -> BegunAnswer[ToolAnswer]:
        """Return the arguments, or reject what is no request."""
        self.tools.append(request)
        self._try()
        if isinstance(request, InvalidValue):
            raise TypeError("this is not a request")
        return BegunAnswer(ToolAnswer(text=f"tool: {request.args}"), self._breaks)


def sent(*messages: Message) -> ModelRequest:
    """A model request with these messages."""
    return ModelRequest(messages=messages)


def call_of(tool: str, call_id: str = "c", args: str = "{}") -> ToolRequest:
    """A tool request."""
    return ToolRequest(tool=tool, call_id=call_id, args=args)


def staged(scene: Scene, steps: Callable[[LiveStage], Coroutine[Any, Any, None]], role: Role = "agent") -> Observation:
    """The observation of a stage on which a coroutine acted."""
    stage = LiveStage(scene, role)
    driver = AsyncioDriver()
    try:
        driver.run(steps(stage), lambda parking: stage.attach(parking, {}))
    finally:
        driver.close()
    return stage.observation()


def nested(seen: Observation) -> list[tuple[str, str | None]]:
    """The names of the spans, each with the name of the enclosing span."""
    names = {span.n: span.name for span in seen.spans}
    return [(span.name, None if span.inside is None else names[span.inside]) for span in seen.spans]


def target_of(**members: object) -> PythonTarget:
    """The target made of an object with these members."""
    return PythonTarget(lambda: SimpleNamespace(**members), "made here")


def performed(scene: Scene, role: Role, **members: object) -> Observation:
    """The observation of a scene on a target with these members."""
    target = target_of(**members)
    try:
        return perform(target, scene, role, 5.0)
    finally:
        target.close()


def close_what_is_resolved(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Record the targets of `loopspec run`; return a function that closes them.

    A run that ends its process does not close its target. In a test the process continues, and an unclosed
    socket would cause a warning in a later test.
    """
    targets: list[Target] = []

    def remembering(name: str) -> Target:
        targets.append(resolve(name))
        return targets[-1]

    monkeypatch.setattr("loopspec.cli.commands.run.resolve", remembering)

    def close() -> None:
        for target in targets:
            target.close()

    return close


def fill_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every report fail after its first line."""
    begin = Report.begin

    def begin_and_fill(self: Report, running: SuiteRun) -> None:
        begin(self, running)
        self._file.close()
        self._file = Path("/dev/full").open("wb", buffering=0)  # noqa: SIM115  # the report closes it

    monkeypatch.setattr(Report, "begin", begin_and_fill)
