"""The scripted models and tools, and the parts that an agent is built from."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from ..contract import agents as spec
from ..contract.calls import ModelRequest, Resumed, ToolRequest
from ..contract.doubles import Doubles, Inner
from ..contract.values import Json, Message, ToolInfo, ToolKind
from .conversion import Conversion, M, args_text

if TYPE_CHECKING:
    from .hooks import HookDouble

T = TypeVar("T")


@dataclass(frozen=True)
class ModelDouble(Generic[M]):
    """A scripted model. Whatever the framework sends to its model goes to `answer` or to `chunks`."""

    spec: spec.Model
    doubles: Doubles
    conversion: Conversion[M]

    @property
    def name(self) -> str:
        """The name of the model."""
        return self.spec.name

    def _request(
        self,
        messages: Iterable[M],
        tools: Iterable[ToolInfo],
        system: str | None,
        options: Mapping[str, Json] | None,
        streaming: bool,
    ) -> ModelRequest:
        return ModelRequest(
            messages=self.conversion.all_to_wire(messages, system),
            tools=tuple(tools),
            options=dict(options or {}),
            streaming=streaming,
        )

    async def answer(
        self,
        messages: Iterable[M],
        tools: Iterable[ToolInfo] = (),
        system: str | None = None,
        options: Mapping[str, Json] | None = None,
    ) -> M | None:
        """Return the answer; None where the scene makes the model answer nothing. Raises what the scene says.

        `system` is the system instruction of a framework that holds it beside the messages.
        """
        request = self._request(messages, tools, system, options, streaming=False)
        answer = await self.doubles.generate(self.name, request)
        return None if answer is None else self.conversion.from_wire(answer)

    def chunks(
        self,
        messages: Iterable[M],
        tools: Iterable[ToolInfo] = (),
        system: str | None = None,
        options: Mapping[str, Json] | None = None,
    ) -> AsyncIterator[Message]:
        """Return the answer in chunks, as messages of the contract: frameworks have types of their own for chunks."""
        return self.doubles.stream(self.name, self._request(messages, tools, system, options, streaming=True))


@dataclass(frozen=True)
class ToolDouble:
    """A scripted tool. `directly`: its result ends the run."""

    spec: spec.Tool
    doubles: Doubles
    inside: Callable[[], Inner]
    directly: bool = False

    @property
    def name(self) -> str:
        """The name of the tool."""
        return self.spec.name

    @property
    def info(self) -> ToolInfo:
        """The information that models receive. Raises where the scene says that there is none."""
        return self.doubles.info(self.name)

    @property
    def description(self) -> str:
        """The description that models receive."""
        return self.info.description

    @property
    def parameters(self) -> dict[str, Json]:
        """The JSON Schema of the arguments: always that of an object."""
        return {"type": "object", "properties": {}, **self.info.parameters}

    def _request(self, args: object, call_id: str, kind: ToolKind, resumed: Resumed | None) -> ToolRequest:
        return ToolRequest(tool=self.name, call_id=call_id, args=args_text(args), kind=kind, resumed=resumed)

    async def call(self, args: object, call_id: str = "", resumed: Resumed | None = None) -> str | None:
        """Return the result; None where the scene makes the tool return nothing. Raises what the scene says.

        `call_id` is the id that the framework passes to the tool; empty if the framework passes none. An `Interruption`
        is to be raised as the framework's own interrupt; the second call then has `resumed`.
        """
        request = self._request(args, call_id, "invokable", resumed)
        answer = await self.doubles.invoke(request, self.inside())
        return None if answer is None else answer.text

    async def chunks(self, args: object, call_id: str = "") -> AsyncIterator[str]:
        """Return the result in chunks."""
        request = self._request(args, call_id, "streamable", None)
        async for chunk in self.doubles.invoke_streaming(request, self.inside()):
            yield chunk.text


@dataclass(frozen=True)
class Parts(Generic[M]):
    """The parts that an agent is built from. `spec` is the whole description, for what has no attribute here."""

    spec: spec.Agent
    model: ModelDouble[M] | None
    tools: Sequence[ToolDouble]
    hooks: Sequence[HookDouble[M]]
    additional_tools: Mapping[str, ToolDouble] = field(default_factory=dict)
    additional_models: Mapping[str, ModelDouble[M]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name of the agent."""
        return self.spec.name

    @property
    def instruction(self) -> str | None:
        """The system instruction; None: the agent has none."""
        return self.spec.instruction or None

    @property
    def max_iterations(self) -> int | None:
        """The limit of model calls; None: the scene configures none."""
        return self.spec.max_iterations

    def tool(self, name: str) -> ToolDouble:
        """Return a tool that a hook offers: one of the agent's, an additional one, or one that has only a name."""
        own = next((tool for tool in self.tools if tool.name == name), None)
        return own or self.additional_tools[name]

    def pick(self, names: Iterable[str], known: Mapping[str, T], make: Callable[[ToolDouble], T]) -> list[T]:
        """Return the framework's tools for the names that a hook wants: the known ones, and new ones."""
        return [known[name] if name in known else make(self.tool(name)) for name in names]
