"""Variants about the settings of tools: how they are called, and of which kind they are."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from msgspec.structs import replace

from loopspec.contract.agents import Agent, Tool
from loopspec.contract.capabilities import Capability
from loopspec.contract.observation import Event, HookCall, Observation, ToolRun
from loopspec.contract.scene import Scene
from loopspec.contract.values import Message, Part, ToolKind, Value, joined

from .facts import Facts, mapped, with_agents
from .variant import Variant, Varied

_PLAIN: tuple[ToolKind, ...] = ("invokable",)
_CHUNKS = 8  # the most with a text of a result: each letter of a short one


def _sequential(scene: Scene) -> Varied:
    agent = with_agents(scene.agent, lambda agent: replace(agent, sequential=True))
    return Varied(replace(scene, agent=agent))


def _can_be_sequential(facts: Facts) -> bool:
    """Whether no agent makes its calls in turn, and where an answer has several calls, nothing waits."""
    several = any(len(turn.tool_calls) > 1 for model in facts.models for turn in model.turns)
    in_turn = any(agent.sequential for agent in facts.agents)
    return facts.is_run and not in_turn and not (several and facts.gates)


@dataclass(frozen=True)
class WithPlainTools:
    """Gives the calls of some tools, and their results, the form of plain tools. Removes no entry."""

    kind: ToolKind
    tools: Collection[str]

    def __call__(self, seen: Observation) -> Observation:
        """The observation of plain tools."""
        return mapped(seen, (Message, Event, ToolRun, HookCall), self._plain)

    def _plain(self, one: Value) -> Value:
        match one:
            case Message(role="tool", tool_name=tool, parts=parts) if tool in self.tools and parts:
                if not one.content and not any(part.url for part in parts):
                    return replace(one, content=one.text, parts=())
            case Event(chunks=(first, *_) as chunks, error=None) if first.tool_name in self.tools:
                return replace(one, chunks=None, message=joined(chunks))
            case ToolRun(tool=tool, kind=self.kind) | HookCall(tool=tool, kind=self.kind) if tool in self.tools:
                return replace(one, kind="invokable")
        return one


def _is_plain(tool: Tool, kind: ToolKind) -> bool:
    """Whether a tool of the harness is a plain one, and can have this kind as well: a part is the same in each call."""
    special = tool.agent or tool.command or tool.interrupts or tool.nothing
    differs = "enhanced" in kind and (tool.texts or tool.echoes)
    return tool.kinds == _PLAIN and not special and not differs


def _of_kind(name: str, kind: ToolKind, needs: frozenset[Capability]) -> Variant:
    def change(tool: Tool) -> Tool:
        size = len(tool.text) // _CHUNKS + 1
        pieces = [tool.text[at : at + size] for at in range(0, len(tool.text), size)]
        chunks = ("", *pieces) if kind == "streamable" and not tool.texts and not tool.echoes else ()
        part = (Part(text=tool.text),) if "enhanced" in kind else ()
        return replace(tool, kinds=(kind,), parts=part, chunks=chunks) if _is_plain(tool, kind) else tool

    def in_agent(agent: Agent) -> Agent:
        tools, additional = tuple(map(change, agent.tools)), tuple(map(change, agent.additional_tools))
        return replace(agent, tools=tools, additional_tools=additional)

    def vary(scene: Scene) -> Varied:
        names = {tool.known_as or tool.name for tool in Facts(scene).tools if _is_plain(tool, kind)}
        return Varied(replace(scene, agent=with_agents(scene.agent, in_agent)), (WithPlainTools(kind, names),))

    return Variant(
        name, lambda facts: facts.is_run and any(_is_plain(tool, kind) for tool in facts.tools), vary, needs=needs
    )


VARIANTS = (
    Variant("sequential-tools", _can_be_sequential, _sequential, needs=frozenset({"sequential-tools"})),
    _of_kind("streaming-tools", "streamable", frozenset({"streaming-tools"})),
    _of_kind("enhanced-tools", "enhanced invokable", frozenset({"enhanced-tools"})),
)
