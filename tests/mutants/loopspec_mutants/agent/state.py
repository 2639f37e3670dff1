"""Mutants about what a run carries from one model call to the next."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference import Agent, AnyMessage, Model, ModelEndpoint, ModelRequest, State, ToolInfo, UnknownToolError
from loopspec_reference.loop import model_calls
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.runs.run import Run

from ..registry import mutant

Messages = ModelCalls[AnyMessage]
States = State[AnyMessage]

_prepared: ContextVar[States] = ContextVar("prepared")


@contextmanager
def _carries(carried: Callable[[States, States, States], States]) -> Iterator[None]:
    """Go on with another state: told those before a model call, at the model, and after it."""
    call, prepare = Messages.call, Messages._prepared

    async def prepares(self: Messages, state: States) -> States:
        state = await prepare(self, state)
        _prepared.set(state)
        return state

    async def calls(self: Messages, run: Run, state: States) -> States:
        after = await call(self, run, state)
        return carried(state, _prepared.get(), after)

    with patch.object(ModelCalls, "_prepared", prepares), patch.object(ModelCalls, "call", calls):
        yield


@mutant(
    "STATE-01",
    neighbors={
        "LEGACY-05": "a legacy function adds a message there",
    },
)
def sends_added_messages_once() -> AbstractContextManager[object]:
    """Forgets what a hook has put behind the conversation when the model has had it."""

    def carried(before: States, there: States, after: States) -> States:
        known = len(before.messages)
        if there.messages[:known] != before.messages or after.messages[: len(there.messages)] != there.messages:
            return after
        return replace(after, messages=(*before.messages, *after.messages[len(there.messages) :]))

    return _carries(carried)


@mutant("STATE-02")
def restores_the_question_that_was_replaced() -> AbstractContextManager[object]:
    """Puts the run's first message back, from the third model call on, when a hook has replaced it."""
    call = Messages.call
    known: dict[Run, list[States]] = {}

    async def calls(self: Messages, run: Run, state: States) -> States:
        before = known.setdefault(run, [])
        question = before[0].messages[:1] if len(before) > 1 else ()
        asked = bool(question) and question[0].role == "user"
        if asked and all(message is not question[0] for message in state.messages):
            state = replace(state, messages=(*question, *state.messages))
        before.append(state)
        return await call(self, run, state)

    return patch.object(ModelCalls, "call", calls)


@mutant(
    "STATE-12",
    neighbors={
        "INTERRUPT-09": "the conversation is replaced there, too",
    },
)
def insists_on_its_system_message() -> AbstractContextManager[object]:
    """Puts the system message back in front of a conversation that a hook has replaced."""
    prepare = Messages._prepared

    async def prepares(self: Messages, state: States) -> States:
        changed = await prepare(self, state)
        first = [message for message in state.messages[:1] if message.role == "system"]
        if any(message.role == "system" for message in changed.messages):
            return changed
        return replace(changed, messages=(*first, *changed.messages))

    return patch.object(ModelCalls, "_prepared", prepares)


@mutant(
    "STATE-03",
    neighbors={
        "INTERRUPT-11": "a tool is hidden from two calls there, with an interrupt between",
    },
)
def hides_tools_for_one_call() -> AbstractContextManager[object]:
    """Offers all tools again in the model call after one before which some were hidden."""

    def carried(before: States, there: States, after: States) -> States:
        again = after.messages[-1].tool_calls and there.tools and there.tools != before.tools
        return replace(after, tools=before.tools) if again and after.tools == there.tools else after

    return _carries(carried)


@mutant(
    "STATE-04",
    neighbors={
        "HOOK-WM-11": "a wrapper is told of the tools there, some of which are hidden",
    },
)
@contextmanager
def tells_wrappers_of_hidden_tools() -> Iterator[None]:
    """Tells the wrappers of a model call of the tools as they were listed before its hooks."""
    call, find = Messages.call, Messages._endpoint
    full: ContextVar[Sequence[ToolInfo]] = ContextVar("full")

    async def calls(self: Messages, run: Run, state: States) -> States:
        full.set(state.tools)
        return await call(self, run, state)

    def endpoint(
        self: Messages, model: Model[AnyMessage], request: ModelRequest[AnyMessage]
    ) -> ModelEndpoint[AnyMessage]:
        return find(self, model, replace(request, tools=full.get()))

    with patch.object(ModelCalls, "call", calls), patch.object(ModelCalls, "_endpoint", endpoint):
        yield


@mutant("STATE-05")
def takes_no_tool_for_all_tools() -> AbstractContextManager[object]:
    """Offers all tools again where the list is empty: `tools or all_tools`."""
    act = Agent._act

    async def acts(self: Agent[AnyMessage], run: Run, start: Any, *rest: Any) -> Any:  # Any: handed on
        state, ended = await act(self, run, start, *rest)
        return (state if state.tools else replace(state, tools=start.box.infos)), ended

    return patch.object(Agent, "_act", acts)


@mutant("STATE-06")
def refuses_hidden_tools() -> AbstractContextManager[object]:
    """Takes a tool that is not in the list for one that the agent does not have."""
    act = Agent._act

    async def acts(self: Agent[AnyMessage], run: Run, start: Any, state: States, *rest: Any) -> Any:  # Any: handed on
        listed = {info.name for info in state.tools}
        for call in state.messages[-1].tool_calls:
            if call.name not in listed:
                raise UnknownToolError(f"the model asked for {call.name!r}, which it was not offered")
        return await act(self, run, start, state, *rest)

    return patch.object(Agent, "_act", acts)


@mutant("STATE-07")
@contextmanager
def makes_up_results_of_listed_tools() -> Iterator[None]:
    """Answers a call of a tool that is in the list, and that nobody has, with an empty result."""
    act, check = Agent._act, Agent._check_known
    listed: ContextVar[set[str]] = ContextVar("listed")

    async def acts(
        self: Agent[AnyMessage],
        run: Run,
        start: Any,
        state: States,
        iteration: int,
        results: dict[int, AnyMessage],
        resumed: Any,
    ) -> Any:  # Any: handed on
        listed.set({info.name for info in state.tools})
        for at, call in enumerate(state.messages[-1].tool_calls):
            if call.name in listed.get() - set(start.box.tools):
                results[at] = self.message_type.tool_result(call, "")
        return await act(self, run, start, state, iteration, results, resumed)

    def checks(self: Agent[AnyMessage], start: Any, calls: Sequence[Any]) -> None:  # Any: handed on
        check(self, start, [call for call in calls if call.name not in listed.get()])

    with patch.object(Agent, "_act", acts), patch.object(Agent, "_check_known", checks):
        yield


@mutant("STATE-08", neighbors={"INTERRUPT-11": "deferred tools that are offered instead are not there to survive"})
def offers_deferred_tools() -> AbstractContextManager[object]:
    """Sends deferred tools among those that the model is offered."""

    def request(messages: Any, tools: Any, deferred: Any, *rest: Any) -> ModelRequest[AnyMessage]:  # Any: handed on
        return ModelRequest(messages, (*tools, *deferred), (), *rest)

    return patch.object(model_calls, "ModelRequest", request)


@contextmanager
def _finishes(finished: Callable[[States, States], States]) -> Iterator[None]:
    """Go on with another state: told those before and after the hooks behind a model call."""
    finish = Messages._finished

    async def finishes(self: Messages, state: States) -> States:
        return finished(state, await finish(self, state))

    with patch.object(ModelCalls, "_finished", finishes):
        yield


@mutant("STATE-09")
def keeps_the_list_over_hooks_behind_the_model() -> AbstractContextManager[object]:
    """Forgets which tools a hook after the model has hidden, unless it were all."""
    return _finishes(lambda before, after: replace(after, tools=before.tools) if after.tools else after)


@mutant("STATE-11")
def takes_only_the_answer_from_hooks_behind_the_model() -> AbstractContextManager[object]:
    """Forgets what a hook after the model has done to the messages, the last one excepted."""
    return _finishes(lambda before, after: replace(after, messages=(*before.messages[:-1], after.messages[-1])))


@mutant("STATE-11", neighbors={"LEGACY-06": "a legacy function changes the text of such an answer"})
def keeps_what_the_model_has_said() -> AbstractContextManager[object]:
    """Restores the model's own text in an answer with tool calls that a hook after the model has changed."""

    def restored(before: States, after: States) -> States:
        answer, left = before.messages[-1], after.messages[-1]
        if not (left.tool_calls and left.role == "assistant" and len(after.messages) == len(before.messages)):
            return after
        own = type(left).assistant(answer.text, left.tool_calls)
        return replace(after, messages=(*after.messages[:-1], own))

    return _finishes(restored)


@mutant("STATE-10")
@contextmanager
def offers_what_the_last_run_has_offered() -> Iterator[None]:
    """Begins a run with the list of tools that the one before has ended with."""
    loop, end = Agent._loop, Agent._end
    left: dict[Agent[AnyMessage], tuple[ToolInfo, ...]] = {}

    async def loops(self: Agent[AnyMessage], run: Run, start: Any, state: States, iteration: int) -> AnyMessage:
        # Any: handed on
        if iteration == 0:
            state = replace(state, tools=left.get(self, state.tools))
        return await loop(self, run, start, state, iteration)

    async def ends(self: Agent[AnyMessage], run: Run, state: States) -> AnyMessage:
        left[self] = state.tools
        return await end(self, run, state)

    with patch.object(Agent, "_loop", loops), patch.object(Agent, "_end", ends):
        yield


@mutant(
    "HOOK-WM-11",
    neighbors={
        "STATE-04": "a wrapper receives the tools there, too",
    },
)
def no_longer_tells_wrappers_of_tools() -> AbstractContextManager[object]:
    """Leaves the tools out of what the wrappers of a model call are told."""

    find = Messages._endpoint

    def endpoint(
        self: Messages, model: Model[AnyMessage], request: ModelRequest[AnyMessage]
    ) -> ModelEndpoint[AnyMessage]:
        return find(self, model, replace(request, tools=()))

    return patch.object(ModelCalls, "_endpoint", endpoint)
