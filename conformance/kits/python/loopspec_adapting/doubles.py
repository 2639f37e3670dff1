"""The scripted models and tools, and the parts that an agent is built from."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar, cast

from loopspec.contract import agents as spec
from loopspec.contract.agents import Handler, Own
from loopspec.contract.calls import ModelRequest, Resumed, ToolRequest
from loopspec.contract.doubles import Doubles, Inner
from loopspec.contract.stage import Stage
from loopspec.contract.values import Json, Message, ToolInfo

from .conversion import Conversion, M, args_text
from .hooks import HookDouble

T = TypeVar("T")  # a tool or a handler of the framework


@dataclass(frozen=True)
class ModelDouble(Generic[M]):
    """A scripted model. Its methods receive what the framework sends to a model.

    `system` is the system instruction of a framework that holds it outside the messages.
    """

    name: str
    spec: spec.Model
    doubles: Doubles
    conversion: Conversion[M]

    async def answer(
        self,
        messages: Iterable[M],
        tools: Iterable[ToolInfo] = (),
        system: str | None = None,
        options: Mapping[str, Json] | None = None,
    ) -> M | None:
        """Return the answer; None where the scene makes the model return nothing. Raises what the scene says."""
        wires = self.conversion.all_to_wire(messages)
        request = ModelRequest(messages=wires, system=system, tools=tuple(tools), options=dict(options or {}))
        answer = await self.doubles.generate(self.name, request)
        return None if answer is None else self.conversion.from_wire(answer)

    def chunks(
        self, messages: Iterable[M], tools: Iterable[ToolInfo] = (), system: str | None = None
    ) -> AsyncIterator[Message]:
        """Return the chunks of the answer as the contract's messages: frameworks have own types for chunks."""
        wires = self.conversion.all_to_wire(messages)
        request = ModelRequest(messages=wires, system=system, tools=tuple(tools), streaming=True)
        return self.doubles.stream(self.name, request)


@dataclass(frozen=True)
class ToolDouble:
    """A scripted tool. `directly`: its result ends the run."""

    name: str
    spec: spec.Tool
    doubles: Doubles
    inside: Callable[[], Inner]
    directly: bool = False

    @property
    def info(self) -> ToolInfo:
        """The information that models receive, with a JSON Schema of an object. Raises where the scene says so."""
        return self.doubles.info(self.name)

    async def call(self, args: object, call_id: str | None = "", resumed: Resumed | None = None) -> str | None:
        """Return the result; None where the scene makes the tool return nothing. Raises what the scene says.

        `call_id` is the id of the model's call; None: the framework passes no id to its tools. Raise an `Interruption`
        as the framework's own interrupt; the second call then has `resumed`.
        """
        request = ToolRequest(tool=self.name, call_id=call_id, args=args_text(args), resumed=resumed)
        answer = await self.doubles.invoke(request, self.inside())
        return None if answer is None else answer.text

    async def chunks(self, args: object, call_id: str | None = "") -> AsyncIterator[str]:
        """Return the chunks of the result. `call_id` is that of `call`."""
        request = ToolRequest(tool=self.name, call_id=call_id, args=args_text(args), kind="streamable")
        async for chunk in self.doubles.invoke_streaming(request, self.inside()):
            yield chunk.text


@dataclass(frozen=True)
class Parts(Generic[M]):
    """The parts that an agent is built from. What the scene does not configure is None or empty.

    `tool` returns a tool that a hook offers, by name, and `additional_models` are those that a wrapper may choose. `of`
    returns the parts of a sub-agent, which is `spec.agent` of its tool. `spec` is the whole description of the agent,
    and `stage` the scene, for what has no attribute here.
    """

    name: str
    instruction: str | None
    model: ModelDouble[M] | None
    tools: Sequence[ToolDouble]
    attached: Sequence[HookDouble[M] | Handler]
    own: object | None
    max_iterations: int | None
    additional_models: Mapping[str, ModelDouble[M]]
    of: Callable[[spec.Agent], Parts[M]]
    spec: spec.Agent
    stage: Stage
    conversion: Conversion[M]
    tool: Callable[[str], ToolDouble]

    @property
    def hooks(self) -> Sequence[HookDouble[M]]:
        """The scripted handlers, in order."""
        return [one for one in self.attached if isinstance(one, HookDouble)]

    def handlers(
        self, make: Callable[[HookDouble[M]], T], built_in: Callable[[Handler], T | None] = lambda _: None
    ) -> list[T]:
        """Return the framework's handlers in order: scripted ones, the framework's own ones, and the one under test."""

        def built(one: HookDouble[M] | Handler) -> T | None:
            if isinstance(one, HookDouble):
                return make(one)
            return cast("T | None", self.own) if isinstance(one, Own) else built_in(one)

        found = map(built, self.attached)
        return [one for one in found if one is not None]

    def pick(self, names: Iterable[str], known: Mapping[str, T], make: Callable[[ToolDouble], T]) -> list[T]:
        """Return the framework's tools for the names that a hook offers: the known tools, and new ones."""
        return [known[name] if name in known else make(self.tool(name)) for name in names]
