"""Mutants that only variants notice: each passes every plain case, because two features meet only in a variant."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference import (
    Agent,
    AgenticMessage,
    AnyMessage,
    Handler,
    IterationLimitError,
    ModelContext,
    ModelRequest,
    State,
)
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.runs.checkpoints import Checkpoint, Stop
from loopspec_reference.runs.run import Run
from loopspec_reference.tools.kinds import Resumed

from .registry import mutant

Loop = Agent[AnyMessage]
Calls = ModelCalls[AnyMessage]


def _built(change: Callable[[dict[str, Any]], None]) -> AbstractContextManager[object]:
    """Change the configuration of every agent."""
    init = Agent.__init__

    def builds(self: Loop, **options: Any) -> None:  # Any: passed on
        change(options)
        init(self, **options)

    return patch.object(Agent, "__init__", builds)


def _ending_without(
    part: str, nothing: object, is_wrong: Callable[[Loop, Run], bool]
) -> AbstractContextManager[object]:
    """End some runs without a part of the agent's configuration."""
    end = Agent._end

    async def ends(self: Loop, run: Run, state: State[AnyMessage]) -> AnyMessage:
        with ExitStack() as stack:
            if is_wrong(self, run):
                stack.enter_context(patch.object(self, part, nothing))
            return await end(self, run, state)

    return patch.object(Agent, "_end", ends)


def _without_custom_input(is_wrong: Callable[[Run], bool]) -> AbstractContextManager[object]:
    """Make some runs without the custom input function."""
    fresh = Agent._fresh

    async def runs(self: Loop, run: Run, messages: Sequence[AnyMessage]) -> AnyMessage:
        with ExitStack() as stack:
            if is_wrong(run):
                stack.enter_context(patch.object(self, "_make_input", None))
            return await fresh(self, run, messages)

    return patch.object(Agent, "_fresh", runs)


# --- handlers and tools -------------------------------------------------------------------------------------------


def _context_for(place: int, without: str) -> AbstractContextManager[object]:
    """Show one part of the model context only to the handler at a place among those with a before-model hook."""
    prepared = ModelCalls._prepared

    class Hidden:
        def __init__(self, handler: Handler[AnyMessage]) -> None:
            self._handler = handler

        async def before_model(self, state: State[AnyMessage], context: ModelContext[AnyMessage]) -> State[AnyMessage]:
            return await self._handler.before_model(state, replace(context, **{without: None}))

    async def prepares(self: Calls, state: State[AnyMessage]) -> State[AnyMessage]:
        shown = len(self._before) + place if place < 0 else place
        before = [one if at == shown else Hidden(one) for at, one in enumerate(self._before)]
        with patch.object(self, "_before", before):
            return await prepared(self, state)

    return patch.object(ModelCalls, "_prepared", prepares)


@mutant("VARIANT-01", neighbors={"VARIANT-03": "the handler that sets the tools is the first handler as well"})
def shows_the_retries_to_the_first_handler_only() -> AbstractContextManager[object]:
    """Shows the retry configuration only to the first before-model hook."""
    return _context_for(0, "retry")


@mutant("VARIANT-02")
def shows_the_retries_to_the_last_handler_only() -> AbstractContextManager[object]:
    """Shows the retry configuration only to the last before-model hook."""
    return _context_for(-1, "retry")


@mutant("VARIANT-03", neighbors={"LOOP-08": "an example sets the tools of an agent with sequential calls"})
def forgets_sequential_calls_when_tools_are_set() -> AbstractContextManager[object]:
    """Makes the tool calls of a run concurrently as soon as a hook sets the tools."""
    begin = Agent._begin

    async def begins(self: Loop, run: Run) -> Any:  # Any: the start of a run, which is private
        start = await begin(self, run)
        if start.box is not self._box:
            self._parallel = True
        return start

    return patch.object(Agent, "_begin", begins)


@mutant("VARIANT-16")
def offers_four_tools_at_most() -> AbstractContextManager[object]:
    """Offers the model at most four tools."""
    answered = ModelCalls._answered

    async def answers(self: Calls, run: Run, request: ModelRequest[AnyMessage]) -> Any:  # Any: an attempt
        return await answered(self, run, replace(request, tools=request.tools[:4]))

    return patch.object(ModelCalls, "_answered", answers)


@mutant("VARIANT-17")
def registers_three_handlers_at_most() -> AbstractContextManager[object]:
    """Ignores the handlers of an agent after the third."""

    def changes(options: dict[str, Any]) -> None:
        if "handlers" in options:
            options["handlers"] = options["handlers"][:3]

    return _built(changes)


@mutant("VARIANT-22")
def leaves_out_handlers_that_are_false() -> AbstractContextManager[object]:
    """Leaves out the handlers whose objects are false."""

    def changes(options: dict[str, Any]) -> None:
        if "handlers" in options:
            options["handlers"] = [handler for handler in options["handlers"] if handler]

    return _built(changes)


@mutant("VARIANT-20", neighbors={"CALLER-02": "the rule is about the lists of the caller"})
def empties_the_callers_list_of_tools() -> AbstractContextManager[object]:
    """Empties the list of tools that the caller passes, once the agent is built."""
    init = Agent.__init__

    def builds(self: Loop, **options: Any) -> None:  # Any: passed on
        init(self, **options)
        if "tools" in options:
            options["tools"].clear()

    return patch.object(Agent, "__init__", builds)


# --- messages and modes -------------------------------------------------------------------------------------------


@mutant("VARIANT-04")
def ignores_the_custom_input_of_agentic_agents() -> AbstractContextManager[object]:
    """Ignores the custom input function of an agent with agentic messages."""

    def changes(options: dict[str, Any]) -> None:
        if options["message_type"] is AgenticMessage:
            options.pop("make_input", None)

    return _built(changes)


@mutant("VARIANT-05")
def ignores_the_custom_input_of_streaming_runs() -> AbstractContextManager[object]:
    """Ignores the custom input function in a streaming run."""
    return _without_custom_input(lambda run: run.streaming)


@mutant("VARIANT-18")
def reports_names_up_to_an_underscore() -> AbstractContextManager[object]:
    """Cuts the name of the agent in events at an underscore."""
    init = Run.__init__

    def starts(self: Run, agent: str, *rest: Any, **options: Any) -> None:  # Any: passed on
        init(self, agent.partition("_")[0], *rest, **options)

    return patch.object(Run, "__init__", starts)


@mutant("VARIANT-19", neighbors={"LOOP-05": "an example has an empty text in the conversation"})
def sends_no_empty_answer_of_an_earlier_run() -> AbstractContextManager[object]:
    """Sends the model no assistant message that has neither a text nor a tool call."""
    answered = ModelCalls._answered

    async def answers(self: Calls, run: Run, request: ModelRequest[AnyMessage]) -> Any:  # Any: an attempt
        kept = tuple(one for one in request.messages if one.role != "assistant" or one.outcome or one.tool_calls)
        return await answered(self, run, replace(request, messages=kept))

    return patch.object(ModelCalls, "_answered", answers)


# --- other runs ---------------------------------------------------------------------------------------------------


class _Before:
    """The run that an agent made before."""

    def __init__(self, run: Run, messages: Sequence[AnyMessage], ended: str) -> None:
        self.session = run.session
        self.messages = messages
        self.ended = ended


@contextmanager
def _after_a_run(is_wrong: Callable[[_Before, Run, Sequence[AnyMessage]], bool]) -> Iterator[None]:
    """Make some runs without after-agent hooks, depending on the run of the same agent before."""
    fresh = Agent._fresh

    async def runs(self: Loop, run: Run, messages: Sequence[AnyMessage]) -> AnyMessage:
        if run.nested:
            return await fresh(self, run, messages)
        before: _Before | None = self.__dict__.get("before")
        ended = "failed"
        with ExitStack() as stack:
            if before is not None and is_wrong(before, run, messages):
                stack.enter_context(patch.object(self, "_after", ()))
            try:
                answer = await fresh(self, run, messages)
                ended = "answered"
                return answer
            except Stop:
                ended = "stopped"
                raise
            except IterationLimitError:
                ended = "limited"
                raise
            finally:
                self.__dict__["before"] = _Before(run, messages, ended)

    with patch.object(Agent, "_fresh", runs):
        yield


@mutant("VARIANT-06", neighbors={"XP-HOOK-04": "an example has two runs with equal conversations"})
def takes_an_equal_conversation_for_the_same_run() -> AbstractContextManager[object]:
    """Calls no after-agent hook if the agent has answered an equal conversation in another session before."""

    def is_wrong(before: _Before, run: Run, messages: Sequence[AnyMessage]) -> bool:
        others = before.session is not run.session and before.messages is not messages
        return others and before.ended == "answered" and list(before.messages) == list(messages)

    return _after_a_run(is_wrong)


@mutant("VARIANT-07")
@contextmanager
def calls_after_agent_hooks_of_the_last_run_only() -> Iterator[None]:
    """Calls the after-agent hooks only when no other run of the agent is under way."""
    fresh = Agent._fresh
    running: dict[Loop, int] = {}

    async def runs(self: Loop, run: Run, messages: Sequence[AnyMessage]) -> AnyMessage:
        running[self] = running.get(self, 0) + 1
        try:
            return await fresh(self, run, messages)
        finally:
            running[self] -= 1

    with (
        patch.object(Agent, "_fresh", runs),
        _ending_without("_after", (), lambda agent, run: running.get(agent, 0) > 1),
    ):
        yield


@mutant("VARIANT-08")
def calls_after_agent_hooks_once_in_a_session() -> AbstractContextManager[object]:
    """Calls no after-agent hook in a session in which the agent has answered before."""
    return _after_a_run(lambda before, run, messages: before.session is run.session and before.ended == "answered")


@mutant("VARIANT-13")
def calls_no_after_agent_hook_after_a_failure() -> AbstractContextManager[object]:
    """Calls no after-agent hook in the run after a failed run."""
    return _after_a_run(lambda before, run, messages: before.ended == "failed")


@mutant("VARIANT-14")
def calls_no_after_agent_hook_after_a_cancellation() -> AbstractContextManager[object]:
    """Calls no after-agent hook in the run after a cancelled run."""
    return _after_a_run(lambda before, run, messages: before.ended == "stopped")


@mutant("VARIANT-15")
def calls_no_after_agent_hook_after_the_limit() -> AbstractContextManager[object]:
    """Calls no after-agent hook in the run after a run that hit the iteration limit."""
    return _after_a_run(lambda before, run, messages: before.ended == "limited")


@mutant("VARIANT-21")
def takes_the_same_list_for_the_same_run() -> AbstractContextManager[object]:
    """Calls no after-agent hook if the caller passes the list of messages of the run before."""
    return _after_a_run(lambda before, run, messages: before.messages is messages)


@mutant("VARIANT-23")
def stores_no_output_at_the_limit() -> AbstractContextManager[object]:
    """Does not set the output key in a run that makes exactly as many model calls as its limit permits."""
    return _ending_without("_output_key", None, lambda agent, run: run.iteration + 1 == agent._max_iterations)


# --- resumed runs and sub-agents ----------------------------------------------------------------------------------


@contextmanager
def _resuming_without_hooks(is_wrong: Callable[[Checkpoint], bool]) -> Iterator[None]:
    """Resume from some checkpoints without after-agent hooks."""
    continued = Agent._continued

    async def continues(self: Loop, run: Run, checkpoint: bytes, *rest: Any) -> AnyMessage:  # Any: passed on
        saved = Checkpoint.read(checkpoint, self.message_type).checkpoint
        with ExitStack() as stack:
            if is_wrong(saved):
                stack.enter_context(patch.object(self, "_after", ()))
            return await continued(self, run, checkpoint, *rest)

    with patch.object(Agent, "_continued", continues):
        yield


@mutant("VARIANT-09")
def calls_no_after_agent_hook_after_a_stop_before_tools() -> AbstractContextManager[object]:
    """Calls no after-agent hook in a run that is resumed with tool calls none of which was made."""
    return _resuming_without_hooks(lambda saved: saved.phase == "tools" and not saved.results and not saved.states)


@mutant("VARIANT-10")
def calls_no_after_agent_hook_after_a_stop_after_tools() -> AbstractContextManager[object]:
    """Calls no after-agent hook in a run that is resumed after its tool calls."""
    return _resuming_without_hooks(lambda saved: bool(saved.results) and not saved.states)


@mutant("VARIANT-11")
@contextmanager
def calls_no_after_agent_hook_without_an_answer() -> Iterator[None]:
    """Calls no after-agent hook in a run that repeats several interrupted calls without an answer of the caller."""
    act = Agent._act

    async def acts(self: Loop, *arguments: Any) -> Any:  # Any: passed on
        resumed: dict[int, Resumed] = arguments[-1]
        if len(resumed) > 1 and all(one.data is None for one in resumed.values()):
            self._after = ()
        return await act(self, *arguments)

    with patch.object(Agent, "_act", acts):
        yield


@mutant("VARIANT-12")
def ignores_the_custom_input_of_sub_agents() -> AbstractContextManager[object]:
    """Ignores the custom input function of a sub-agent."""
    return _without_custom_input(lambda run: run.nested)
