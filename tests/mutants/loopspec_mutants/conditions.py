"""The conditions of conditional mutants: what holds at a moment of a scene, as the harness's own record shows it.

None is asked of the implementation, so that a condition holds in each of them at the same moments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from loopspec.contract.agents import agents_in, tools_of
from loopspec.contract.observation import (
    Answered,
    Event,
    HookCall,
    Load,
    ModelCall,
    Question,
    Read,
    RunEnd,
    Span,
    ToolRun,
    Warned,
)
from loopspec.contract.scene import Run
from loopspec.contract.values import Value
from loopspec.stage import LiveStage
from loopspec.stage.record import current_run

_MADE = (ModelCall, ToolRun, HookCall, Read)  # the entries that have values from outside the implementation


class Moment:
    """A moment of a scene: what has been recorded until now, and the present run, if there is one."""

    def __init__(self, stage: LiveStage) -> None:
        self.scene = stage.scene
        self._stage = stage
        self.id = current_run.get()

    @cached_property
    def run(self) -> Run | None:
        """The present run; outside of any, the first one of this process."""
        by_id = {run.id: run for run in self.scene.runs}
        if self.id is not None:
            return by_id.get(self.id)
        return next(iter(self._stage.runs.session), None)

    @cached_property
    def entries(self) -> tuple[Value, ...]:
        """What has been recorded."""
        return self._stage.record.of(Value)

    @cached_property
    def ids(self) -> frozenset[str | None]:
        """The ids of the run and of the runs that it continues: a resumed run is the rest of a run."""
        by_id, ids = {run.id: run for run in self.scene.runs}, {self.id}
        before = by_id.get(self.id or "")
        while before is not None and before.resume is not None:
            ids.add(before.resume)
            before = by_id.get(before.resume)
        return frozenset(ids)

    @cached_property
    def own(self) -> tuple[Value, ...]:
        """What has been recorded of the run, with the runs that it continues."""
        return tuple(one for one in self.entries if getattr(one, "run", self.id) in self.ids)

    def count(self, kind: type[Value]) -> int:
        """How many entries of a kind the run has."""
        return sum(isinstance(one, kind) for one in self.own)

    def last(self, *kinds: type[Value]) -> Value | None:
        """The last entry of these kinds."""
        return next((one for one in reversed(self.own) if isinstance(one, kinds)), None)

    @property
    def spans(self) -> Iterator[Span]:
        """The calls of doubles in the run."""
        return (one for one in self.own if isinstance(one, Span))

    @property
    def texts(self) -> Iterator[str]:
        """The texts and the ids in the last entry from outside the implementation; before any, those of the caller."""
        match self.last(*_MADE):
            case ModelCall(messages=messages, answer=answer):
                yield from (message.content for message in messages[-1:])
                yield answer.content if answer else "-"
                for call in answer.tool_calls if answer else ():
                    yield from (call.id, call.args)
            case ToolRun(tool=name, call=call):
                yield from (call.id, call.args)
                for tool in (tool for agent in agents_in(self.scene.agent) for tool in tools_of(agent)):
                    yield from (tool.text, *tool.texts) if tool.name == name else ()
            case HookCall(messages=(*_, message)):
                yield message.content
            case Read(path=path, content=content):
                yield path
                yield (content.text or "") if content else "-"
            case _ if self.run is not None:
                yield from (message.content for message in self.run.messages)


def _later_model_call(now: Moment) -> bool:
    """The second call begins when the tools of the first round have returned."""
    tools = [one for one in now.spans if one.name.startswith("tool ")]
    return now.count(ModelCall) >= 2 or (bool(tools) and all(one.ended is not None for one in tools))


def _later_hook_call(now: Moment) -> bool:
    last = now.last(HookCall)
    return (
        isinstance(last, HookCall)
        and sum(isinstance(one, HookCall) and (one.handler, one.hook) == (last.handler, last.hook) for one in now.own)
        > 1
    )


def _in_sub_agent(now: Moment) -> bool:
    """From the call of an agent as a tool until the calling model is called again, the sub-agent runs."""
    agents = {tool.name for tool in now.scene.agent.tools if tool.agent}
    model = now.scene.agent.model
    if not agents or model is None:
        return False
    own = [one for one in now.own if isinstance(one, ModelCall) and one.model == model.name]
    answer = own[-1].answer if own else None
    return answer is not None and any(call.name in agents for call in answer.tool_calls)


def _among_several(now: Moment) -> bool:
    last = now.last(ModelCall)
    return isinstance(last, ModelCall) and last.answer is not None and len(last.answer.tool_calls) > 1


def _after_failure(now: Moment) -> bool:
    failed = any(getattr(one, "error", None) is not None for one in now.own if isinstance(one, Span | Read | Event))
    return failed or any(isinstance(one, Question) and one.what == "retryable" for one in now.own)


def _is_interrupted_later(now: Moment) -> bool:
    return now.run is not None and any(run.resume == now.run.id for run in now.scene.runs)


def _is_resumed(now: Moment) -> bool:
    return now.run is not None and now.run.resume is not None


def _with_another_handler(now: Moment) -> bool:
    return any(len(agent.handlers) > 1 for agent in agents_in(now.scene.agent))


def _other_kind(now: Moment) -> bool:
    kinds = (one.kind for one in reversed(now.own) if isinstance(one, ToolRun | HookCall) and one.kind)
    return next(kinds, "invokable") != "invokable"


def _second_run(now: Moment) -> bool:
    if any(isinstance(one, RunEnd) and one.run not in now.ids for one in now.entries):
        return True
    return any(isinstance(one, Load | Answered) for one in now.entries)


def _alongside(now: Moment) -> bool:
    """A run that is `together` is concurrent with the one before it."""
    pairs = ((first.id, second.id) for first, second in pairwise(now.scene.runs) if second.together)
    return now.scene.together or (now.run is not None and any(now.run.id in pair for pair in pairs))


def _repeated(now: Moment) -> bool:
    match now.last(*_MADE):
        case ToolRun(call=call):
            asked = now.last(ModelCall)
            known = asked.messages if isinstance(asked, ModelCall) else ()
            again = any(message.tool_call_id == call.id for message in known)
            return again or sum(isinstance(one, ToolRun) and one.call.id == call.id for one in now.entries) > 1
        case Read(path=path):
            return sum(isinstance(one, Read) and one.path == path for one in now.entries) > 1
        case ModelCall(messages=messages, answer=answer):
            equal = sum(isinstance(one, ModelCall) and one.answer == answer for one in now.entries)
            return (
                answer in messages or bool(answer and equal > 1) or any(one in messages[:-1] for one in messages[-1:])
            )
        case HookCall(messages=(*before, last)):
            return last in before
    return False


def _false(now: Moment) -> bool:
    last = now.last(HookCall, ToolRun)
    return isinstance(last, HookCall | ToolRun) and not all((*last.found.values(), *last.options.values()))


class Condition(NamedTuple):
    """A condition: its sentence, the parts of the suite whose mutants it is tried with, and whether it holds."""

    sentence: str
    parts: str
    holds: Callable[[Moment], bool]


# The conditions that hold only after something has happened in a run: not while an agent is built.
IN_A_RUN = frozenset(
    {
        "later-model-call",
        "later-tool-call",
        "later-hook-call",
        "later-read",
        "in-a-sub-agent",
        "several-calls",
        "after-a-failure",
        "after-a-warning",
        "other-kind-of-tool",
        "false-value",
        "repeated-value",
    }
)


# The parts: `a`gent loop, the `p`lugin layer, `m`arkdown instructions, `b`ackend.
CONDITIONS: Mapping[str, Condition] = {
    "resumed": Condition("The run is a resumed one.", "apm", _is_resumed),
    "interrupted-later": Condition("The run will be interrupted or stopped.", "ap", _is_interrupted_later),
    "second-run": Condition("An earlier run, load or read has ended.", "apmb", _second_run),
    "alongside-another-run": Condition("Another run or load takes place at the same time.", "apm", _alongside),
    "later-model-call": Condition("The first round of the run is over.", "apm", _later_model_call),
    "later-tool-call": Condition("A second tool has been called.", "ap", lambda now: now.count(ToolRun) >= 2),
    "later-hook-call": Condition("A hook is called a second time.", "ap", _later_hook_call),
    "later-read": Condition("A second file has been read.", "m", lambda now: now.count(Read) >= 2),
    "in-a-sub-agent": Condition("A sub-agent runs.", "apm", _in_sub_agent),
    "streaming": Condition("The run streams.", "ap", lambda now: now.run is not None and now.run.streaming),
    "not-streaming": Condition("The run does not stream.", "ap", lambda now: not (now.run and now.run.streaming)),
    "sequential": Condition("Tools are called one after another.", "ap", lambda now: now.scene.agent.sequential),
    "several-calls": Condition("The model has asked for several calls.", "ap", _among_several),
    "after-a-failure": Condition("Something has failed in the run.", "apmb", _after_failure),
    "after-a-warning": Condition("A warning has been reported.", "m", lambda now: bool(now.count(Warned))),
    "with-another-handler": Condition("An agent has several handlers.", "ap", _with_another_handler),
    "agentic": Condition("Messages are agentic.", "apm", lambda now: now.scene.message_type == "agentic"),
    "other-kind-of-tool": Condition("The tool is not a plain one.", "ap", _other_kind),
    "empty-value": Condition("A text is empty.", "apmb", lambda now: any(one in ("", "{}") for one in now.texts)),
    "non-ascii-value": Condition("A text is not ASCII.", "apmb", lambda now: not all(map(str.isascii, now.texts))),
    "long-value": Condition("A text is long.", "apmb", lambda now: any(len(one) > 2000 for one in now.texts)),
    "false-value": Condition("A double has read a value that is false.", "ap", _false),
    "repeated-value": Condition("An id, a path or an answer occurs again.", "apm", _repeated),
    "in-a-run": Condition("Instructions are loaded by a run.", "m", lambda now: now.scene.act == "run"),
}


class Watch:
    """Says which conditions hold at the present moment of the scene that is performed."""

    def __init__(self) -> None:
        self._stage: LiveStage | None = None
        self._seen: tuple[object, ...] = ()
        self._now: Moment | None = None
        self._held: dict[str, bool] = {}

    @property
    def runs(self) -> bool:
        """Whether a run is under way: an agent is built outside of any."""
        return current_run.get() is not None

    def begin(self, stage: LiveStage) -> None:
        """Watch another scene."""
        self._stage = stage

    def holds(self, name: str) -> bool:
        """Whether a condition holds now; none holds before a scene begins."""
        if self._stage is None:
            return False
        now = Moment(self._stage)
        seen = (id(self._stage), now.id, *map(id, now.entries))
        if seen != self._seen:  # the functions of an implementation are called far more often than anything happens
            self._seen, self._now, self._held = seen, now, {}
        assert self._now is not None
        if name not in self._held:
            self._held[name] = CONDITIONS[name].holds(self._now)
        return self._held[name]
