"""The variant in which the first message of the user is empty, and in which tools return nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from loopspec.contract.actions import AppendAnswer, SendMessage, SetReturnDirectly
from loopspec.contract.agents import Agent, Summarization, Tool
from loopspec.contract.around import Redact
from loopspec.contract.observation import HookCall, Observation
from loopspec.contract.scene import Run, Scene
from loopspec.contract.values import Message, ToolCall, Value

from .facts import Facts, found, mapped, with_agents
from .variant import Variant, Varied


@dataclass(frozen=True)
class WithTexts:
    """Gives each empty text of the user, and each empty result of a tool, the text of the scene. Removes no entry.

    `tools` has the tool of each call by its id: not every implementation names the tool in a result.
    """

    asked: str
    results: Mapping[str | None, str]
    tools: Mapping[str | None, str]

    def __call__(self, seen: Observation) -> Observation:
        """The observation with the texts."""
        return mapped(seen, (Message, HookCall), self._full)

    def _full(self, one: Value) -> Value:
        match one:
            case Message(role="user", content=""):
                return replace(one, content=self.asked)
            case Message(role="tool", content="", parts=(), tool_name=tool, tool_call_id=call):
                return replace(one, content=self.results.get(tool or self.tools.get(call), ""))
            case HookCall(hook="around tool", answer="", tool=tool) if tool in self.results:
                return replace(one, answer=self.results[tool])
        return one


def _returns_one_text(tool: Tool) -> bool:
    more = tool.agent or tool.texts or tool.chunks or tool.echoes or tool.nothing or tool.known_as
    return not more and not any("enhanced" in kind for kind in tool.kinds)


def _emptied(scene: Scene) -> Varied:
    results: dict[str | None, str] = {tool.name: tool.text for tool in Facts(scene).tools if _returns_one_text(tool)}

    def emptied(tools: tuple[Tool, ...]) -> tuple[Tool, ...]:
        return tuple(replace(tool, text="") if tool.name in results else tool for tool in tools)

    def silent(run: Run) -> Run:
        return replace(run, messages=tuple(replace(one, content="") if one == asks else one for one in run.messages))

    def change(agent: Agent) -> Agent:
        return replace(agent, tools=emptied(agent.tools), additional_tools=emptied(agent.additional_tools))

    calls: dict[str | None, str] = {
        one.id: one.name for one in found(scene.agent, (ToolCall,)) if isinstance(one, ToolCall)
    }
    asks = next(message for run in scene.runs for message in run.messages if message.role == "user")
    varied = replace(scene, agent=with_agents(scene.agent, change), runs=tuple(map(silent, scene.runs)))
    return Varied(varied, (WithTexts(asks.content, results, calls),))


def _asks(facts: Facts) -> bool:
    """Whether the user of an agent without sub-agents says something, and no result of a tool is shown elsewhere."""
    said = {message.content for run in facts.scene.runs for message in run.messages if message.role == "user"}
    said |= {one.text for one in found(facts.scene.agent, (SendMessage,)) if isinstance(one, SendMessage)}
    return (
        facts.is_run
        and len(facts.agents) == 1
        and all(said or ("",))
        and not (facts.scene.agent.return_directly or facts.scene.agent.legacy or facts.scene.traces)
        and not any(isinstance(one, Summarization) for one in facts.handlers)
        and not facts.has_actions((AppendAnswer, Redact, SetReturnDirectly))
    )


VARIANTS = (Variant("empty-texts", _asks, _emptied),)
