"""Mutants about the state that a run carries from one model call to the next."""

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
def _carrying(carried: Callable[[States, States, States], States]) -> Iterator[None]:
    """Patch the state after a model call, given the states before the call, at the model, and after the call."""
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
        "LEGACY-05": "a legacy function adds a message",
    },
)
def drops_added_messages_after_the_call() -> AbstractContextManager[object]:
    """Drops the messages that a hook has appended when the next model call has ended."""

    def carried(before: States, at_model: States, after: States) -> States:
        known = len(before.messages)
        if (
            at_model.messages[:known] != before.messages
            or after.messages[: len(at_model.messages)] != at_model.messages
        ):
            return after
        return replace(after, messages=(*before.messages, *after.messages[len(at_model.messages) :]))

    return _carrying(carried)


@mutant("STATE-02")
def restores_the_question_from_the_third_call_on() -> AbstractContextManager[object]:
    """Restores the first message of the run from the third model call on when a hook has replaced it."""
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
        "INTERRUPT-09": "a handler has also replaced the conversation",
    },
)
def restores_the_system_message() -> AbstractContextManager[object]:
    """Inserts the system message again into a conversation that a hook has replaced."""
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
        "INTERRUPT-11": "a tool is hidden from two model calls with an interrupt between them",
    },
)
def hides_tools_for_one_call() -> AbstractContextManager[object]:
    """Restores hidden tools in the model call after the one before which a hook has hidden them."""

    def carried(before: States, at_model: States, after: States) -> States:
        again = after.messages[-1].tool_calls and at_model.tools and at_model.tools != before.tools
        return replace(after, tools=before.tools) if again and after.tools == at_model.tools else after

    return _carrying(carried)


@mutant(
    "STATE-04",
    neighbors={
        "HOOK-WM-11": "a wrapper receives the tools, some of which are hidden",
    },
)
@contextmanager
def passes_hidden_tools_to_wrappers() -> Iterator[None]:
    """Passes the tools from before the before-model hooks to the model wrappers."""
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
def restores_all_tools_for_an_empty_list() -> AbstractContextManager[object]:
    """Passes all tools to the model when the list is empty: `tools or all_tools`."""
    act = Agent._act

    async def acts(self: Agent[AnyMessage], run: Run, start: Any, *rest: Any) -> Any:  # Any: passed on
        state, ended = await act(self, run, start, *rest)
        return (state if state.tools else replace(state, tools=start.box.infos)), ended

    return patch.object(Agent, "_act", acts)


@mutant("STATE-06")
def rejects_calls_of_hidden_tools() -> AbstractContextManager[object]:
    """Fails the run when the model calls a hidden tool."""
    act = Agent._act

    async def acts(self: Agent[AnyMessage], run: Run, start: Any, state: States, *rest: Any) -> Any:  # Any: passed on
        listed = {info.name for info in state.tools}
        for call in state.messages[-1].tool_calls:
            if call.name not in listed:
                raise UnknownToolError(f"the model called {call.name!r}, which is hidden")
        return await act(self, run, start, state, *rest)

    return patch.object(Agent, "_act", acts)


@mutant("STATE-07")
@contextmanager
def invents_results_of_listed_tools() -> Iterator[None]:
    """Appends an empty result for a tool that is in the list but that the agent does not have."""
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
    ) -> Any:  # Any: passed on
        listed.set({info.name for info in state.tools})
        for at, call in enumerate(state.messages[-1].tool_calls):
            if call.name in listed.get() - set(start.box.tools):
                results[at] = self.message_type.tool_result(call, "")
        return await act(self, run, start, state, iteration, results, resumed)

    def checks(self: Agent[AnyMessage], start: Any, calls: Sequence[Any]) -> None:  # Any: passed on
        check(self, start, [call for call in calls if call.name not in listed.get()])

    with patch.object(Agent, "_act", acts), patch.object(Agent, "_check_known", checks):
        yield


@mutant(
    "STATE-08",
    neighbors={
        "RETRY-02": "an example defers a tool",
        "HOOK-BM-03": "an example defers a tool",
        "INTERRUPT-11": "deferred tools that are passed as other tools are missing after the interrupt",
    },
)
def passes_deferred_tools_as_tools() -> AbstractContextManager[object]:
    """Passes deferred tools to the model among the other tools."""

    def request(messages: Any, tools: Any, deferred: Any, *rest: Any) -> ModelRequest[AnyMessage]:  # Any: passed on
        return ModelRequest(messages, (*tools, *deferred), (), *rest)

    return patch.object(model_calls, "ModelRequest", request)


@contextmanager
def _finishing(finished: Callable[[States, States], States]) -> Iterator[None]:
    """Patch the state after the after-model hooks, given the states before and after them."""
    finish = Messages._finished

    async def finishes(self: Messages, state: States) -> States:
        return finished(state, await finish(self, state))

    with patch.object(ModelCalls, "_finished", finishes):
        yield


@mutant("STATE-09")
def restores_tools_that_an_after_model_hook_has_hidden() -> AbstractContextManager[object]:
    """Restores the tools that an after-model hook has hidden, unless it has hidden all."""
    return _finishing(lambda before, after: replace(after, tools=before.tools) if after.tools else after)


@mutant("STATE-11")
def drops_changes_of_after_model_hooks_to_earlier_messages() -> AbstractContextManager[object]:
    """Drops the changes of an after-model hook to all messages but the last."""
    return _finishing(lambda before, after: replace(after, messages=(*before.messages[:-1], after.messages[-1])))


@mutant("STATE-11", neighbors={"LEGACY-06": "a legacy function changes the text of an answer with tool calls"})
def restores_the_text_of_an_answer_with_calls() -> AbstractContextManager[object]:
    """Restores the model's text in an answer with tool calls that an after-model hook has changed."""

    def restored(before: States, after: States) -> States:
        answer, left = before.messages[-1], after.messages[-1]
        if not (left.tool_calls and left.role == "assistant" and len(after.messages) == len(before.messages)):
            return after
        own = type(left).assistant(answer.text, left.tool_calls)
        return replace(after, messages=(*after.messages[:-1], own))

    return _finishing(restored)


@mutant("STATE-10")
@contextmanager
def begins_with_the_tools_of_the_previous_run() -> Iterator[None]:
    """Begins a run with the list of tools at the end of the previous run."""
    loop, end = Agent._loop, Agent._end
    left: dict[Agent[AnyMessage], tuple[ToolInfo, ...]] = {}

    async def loops(self: Agent[AnyMessage], run: Run, start: Any, state: States, iteration: int) -> AnyMessage:
        # Any: passed on
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
        "STATE-04": "a wrapper also receives the tools",
    },
)
def passes_no_tools_to_wrappers() -> AbstractContextManager[object]:
    """Passes no tools to the model wrappers."""

    find = Messages._endpoint

    def endpoint(
        self: Messages, model: Model[AnyMessage], request: ModelRequest[AnyMessage]
    ) -> ModelEndpoint[AnyMessage]:
        return find(self, model, replace(request, tools=()))

    return patch.object(ModelCalls, "_endpoint", endpoint)
