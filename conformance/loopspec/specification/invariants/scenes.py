"""Questions about a scene that the invariants ask: what its handlers change, and which run continues which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from math import inf

from ...contract.acting import Effect, Hook
from ...contract.actions import InterruptOnce, ReplaceAll, SendMessage, SetCalls, SetReturnDirectly
from ...contract.agents import Agent, AgentsMD, Plugin, Scripted, Summarization, TodoList, models_of
from ...contract.around import CallInner, GiveCommand, Jump, UseCache
from ...contract.calls import Command
from ...contract.mismatch import is_answered
from ...contract.observation import Event, ModelCall, Observation
from ...contract.scene import Scene
from ...contract.values import Message, joined
from ..facts import Facts

_ENDS: frozenset[Effect] = frozenset({"answer", "course"})  # of actions, one of which may end the call of another


class Story(Facts):
    """A scene, one observation of it, and what invariants ask about both.

    Whether an invariant applies depends on the scene alone. `model_actions` are the types of the actions in all hooks
    except tool wrappers, with their `effects`, `tool_actions` those in tool wrappers. `continuing` are the sub-agents
    whose first conversation is that of the outer agent, and has its answers. `streams`: a run is a streaming run.
    """

    def __init__(self, scene: Scene, seen: Observation) -> None:
        super().__init__(scene)
        self.seen = seen
        scripts = [script for double in self.doubles for script in double.scripts]
        self.model_actions = {type(a) for script in scripts if script.hook != "around tool" for a in script.actions}
        self.tool_actions = {type(a) for script in scripts if script.hook == "around tool" for a in script.actions}
        self.effects: set[Effect] = {effect for kind in self.model_actions for effect in kind.effects}
        self.continuing = {tool.agent.name for tool in self.tools if tool.agent and tool.full_history}
        self.streams = any(run.streaming for run in scene.runs)

    def _changes(self, *effects: Effect) -> bool:
        """Whether an action in a hook, except in a tool wrapper, can change one of these."""
        return not self.effects.isdisjoint(effects)

    @cached_property
    def jumps(self) -> bool:
        """Whether a double jumps to a different step of the run."""
        commands = [*self.actions, *[tool.command for tool in self.tools]]
        goes = any(isinstance(one, GiveCommand | Command) and one.goto is not None for one in commands)
        return goes or self.has_actions((Jump,))

    @cached_property
    def returns_directly(self) -> bool:
        """Whether the result of a tool can end a run."""
        tools = any(agent.exit_tool or any(agent.return_directly.values()) for agent in self.agents)
        return tools or self.has_actions((SetReturnDirectly,))

    @cached_property
    def rewrites_answers(self) -> bool:
        """Whether a hook after the model can change the answer."""
        scripts = [script for double in self.doubles for script in double.scripts if script.hook == "after model"]
        return any(action.effects & {"conversation", "state"} for script in scripts for action in script.actions)

    @cached_property
    def keeps_answers(self) -> bool:
        """Whether no model wrapper changes an answer or repeats a call, and no hook jumps."""
        return self.is_run and not self._changes("answer") and not self.jumps

    @cached_property
    def keeps_conversation(self) -> bool:
        """Whether no hook changes the conversation, a request or an answer, and no message is sent to the run."""
        return (
            self.keeps_answers
            and not self._changes("conversation", "results", "request")
            and not self.has_actions((SendMessage,))
            and not any(isinstance(one, Summarization | TodoList) for one in self.handlers)
            and not any(agent.failover and agent.failover.messages is not None for agent in self.agents)
            and not (bool(self.scene.changes) and any(isinstance(one, AgentsMD) for one in self.handlers))
        )

    @cached_property
    def keeps_calls(self) -> bool:
        """Whether no hook or cache adds a tool call, no wrapper repeats one, and no jump makes calls of the caller."""
        return (
            self.is_run
            and self.model_actions.isdisjoint((ReplaceAll, SetCalls, UseCache))
            and self.tool_actions.isdisjoint((CallInner, InterruptOnce))
            and not self.jumps
        )

    def calls_models_once(self) -> bool:
        """Whether a round has one model call: no hook answers, repeats, jumps or interrupts, and nothing is retried."""
        return (
            self.keeps_answers
            and self.model_actions.isdisjoint((CallInner, InterruptOnce))
            and not any(agent.retry or agent.failover for agent in self.agents)
            and not any(isinstance(handler, Summarization) for handler in self.handlers)
        )

    def keeps_calls_with_results(self) -> bool:
        """Whether nothing but the loop can separate a tool call from its result: no hook, no caller, no run before."""
        separates = self.jumps or self._changes("results") or Summarization in map(type, self.handlers)
        answered = all(is_answered(run.messages) and not run.conversation for run in self.scene.runs)
        return self.is_run and not separates and answered

    def emits_each_attempt_once(self) -> bool:
        """Whether no attempt of a model call is emitted in part, or not at all: a broken stream, a rejected answer."""
        repeats = any(agent.retry or agent.failover for agent in self.agents)
        rejects = any(agent.retry and agent.retry.rejects for agent in self.agents)
        return not rejects and not (repeats and self.streams)

    def reads_streams(self) -> bool:
        """Whether no wrapper can let go of a stream: of a model that it calls again, of a tool that it answers for."""
        if self.streams and CallInner in self.model_actions:
            return False
        streams_of_tools = any("streamable" in kind for tool in self.tools for kind in tool.kinds)
        return not streams_of_tools or not any(
            script.hook == "around tool" and len([one for one in script.actions if one.effects & _ENDS]) > 1
            for double in self.doubles
            for script in double.scripts
        )

    @cached_property
    def cancelled_immediately(self) -> frozenset[str]:
        """The runs that may be cut off in the middle of a call."""
        return frozenset(
            run.id
            for run in self.scene.runs
            if run.dies or any(not cancel.modes or cancel.timeout is not None for cancel in run.cancels)
        )

    @cached_property
    def own_models(self) -> frozenset[str]:
        """The names of the models that the agent of the scene calls."""
        return frozenset([model.name for model in models_of(self.scene.agent)])

    @cached_property
    def owners(self) -> Mapping[str, str]:
        """The agent of each model, by the name of the model."""
        return {model.name: agent.name for agent in self.agents for model in models_of(agent)}

    @cached_property
    def heard(self) -> frozenset[str]:
        """The agents whose events the caller receives."""
        return frozenset(_heard_in(self.scene.agent))

    @cached_property
    def _lineages(self) -> Mapping[str | None, list[str]]:
        lines: dict[str | None, list[str]] = {}
        for run in self.scene.runs:
            lines[run.id] = [run.id, *lines.get(run.resume, ())]
        return lines

    def lineage(self, run: str | None) -> list[str]:
        """The run, the run that it resumes, and so on."""
        return self._lineages.get(run, [])

    def resumes(self, run: str | None) -> bool:
        """Whether the run resumes another one."""
        return len(self.lineage(run)) > 1

    @cached_property
    def cut_off(self) -> frozenset[str]:
        """The runs that a cancellation or a death has cut off: calls need not return, streams need not be read."""
        requested = {run.id for run in self.scene.runs if run.cancels}
        return frozenset(
            end.run
            for end in self.seen.runs
            if end.cancelled is not None or end.died or (end.error is not None and end.run in requested)
        )

    @cached_property
    def _died(self) -> frozenset[str]:
        return frozenset(run.id for run in self.scene.runs if run.dies)

    def may_repeat(self, run: str | None) -> bool:
        """Whether the run, or one that it resumes, has died: its last steps may be lost, or come again."""
        return not self._died.isdisjoint(self.lineage(run))

    @cached_property
    def rounds(self) -> list[tuple[Agent, str | None, float, float]]:
        """The places in the record of two model calls of an agent, one after the other in one run.

        The first place of a run is -1, and the last one, after a final answer of the scene's own agent, is infinite.
        Left out are agents that an answer calls several times as a tool, agents with one name, runs that are cut off,
        and what follows a failed call; all of them in a scene without scripted handlers.
        """
        answers = (call.answer for call in self.seen.model_calls if call.answer)
        named = ((agent.name for agent in self.agents), *((call.name for call in one.tool_calls) for one in answers))
        several = {name for names in named for name, n in Counter(names).items() if n > 1}
        succeeded = {end.run for end in self.seen.runs if not (end.error or end.stopped)}
        calls: dict[tuple[str, str | None], list[ModelCall]] = {}
        for call in self.seen.model_calls:
            calls.setdefault((self.owners.get(call.model, ""), call.run), []).append(call)
        found: list[tuple[Agent, str | None, float, float]] = []
        for agent in self.agents if self.doubles else ():
            for run in [run.id for run in self.scene.runs if agent.name not in several]:
                of_run = calls.get((agent.name, run), [])
                if not of_run or run in self.cut_off or self.cancelled_immediately.intersection(self.lineage(run)):
                    continue
                found.append((agent, run, -1, of_run[0].n))
                found += [(agent, run, one.n, other.n) for one, other in pairwise(of_run) if one.answer]
                if run in succeeded and agent is self.agents[0]:
                    found.append((agent, run, of_run[-1].n, inf))
        return found

    @cached_property
    def _uses(self) -> Counter[str]:
        """How many agents have a handler of each name."""
        return Counter(handler.name for handler in self.handlers)

    def hooked(self, agent: Agent, hook: Hook) -> list[str]:
        """The handlers of this agent alone that have a hook, in their order."""
        own = (one for one in agent.handlers if isinstance(one, Scripted | Plugin) and self._uses[one.name] == 1)
        return [one.name for one in own if any(script.hook == hook for script in one.scripts)]

    @cached_property
    def emitted(self) -> list[tuple[Event, Message]]:
        """The events with a complete message, and the message: of a stream, its joined chunks."""
        found = []
        for event in self.seen.events:
            if event.error is None:
                message = joined(event.chunks) if event.chunks else event.message
                if message is not None:
                    found.append((event, message))
        return found


def _heard_in(agent: Agent) -> Iterator[str]:
    yield agent.name
    for tool in (*agent.tools, *agent.additional_tools) if agent.internal_events else ():
        if tool.agent:
            yield from _heard_in(tool.agent)
