"""Mutants about failing over to another model."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from unittest.mock import patch

from msgspec.structs import replace

import loopspec_reference as ref
from loopspec_reference import AnyMessage, FailoverConfig, FailoverContext, State, WillRetryError
from loopspec_reference.calls import failovers
from loopspec_reference.calls.attempts import Attempt, Caller
from loopspec_reference.calls.models import Model, ModelRequest
from loopspec_reference.loop import model_calls
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.runs.run import Run, current_run

from ..registry import mutant

AnyModel = Model[AnyMessage]
Call = Caller[AnyMessage]
Config = FailoverConfig[AnyMessage]
Context = FailoverContext[AnyMessage]
Request = ModelRequest[AnyMessage]
Tried = Attempt[AnyMessage]
FailingOver = Callable[[Call, Config, AnyModel, Request], Awaitable[tuple[Tried, AnyModel]]]


def _failing_over(replacement: FailingOver) -> AbstractContextManager[object]:
    return patch.object(model_calls, "failing_over", replacement)


@mutant(
    "FAILOVER-01",
    neighbors={
        "FAILOVER-09": "the run of the example also fails over, and its calls are counted",
    },
)
def opens_a_failed_stream_again() -> AbstractContextManager[object]:
    """Opens the stream of the failed model once more before the backup model is called."""

    async def replacement(call: Call, config: Config, model: AnyModel, request: Request) -> tuple[Tried, AnyModel]:
        async def retrying(called: AnyModel, request: Request) -> Tried:
            if called is not model and request.streaming:
                attempt = await call(model, request)
                if attempt.error is None:
                    return attempt
            return await call(called, request)

        return await failovers.failing_over(retrying, config, model, request)

    return _failing_over(replacement)


def _choosing(change: Callable[[Context], Context]) -> AbstractContextManager[object]:
    """Patch what the backup selector receives."""
    choose = FailoverConfig.choose

    async def chooses(self: Config, context: Context, request: Request) -> tuple[AnyModel, Request]:
        return await choose(self, change(context), request)

    return patch.object(FailoverConfig, "choose", chooses)


@mutant("FAILOVER-02", neighbors={"FAILOVER-04": "the example compares the errors that the callbacks receive"})
def hides_the_error_from_the_backup_selector() -> AbstractContextManager[object]:
    """Passes the backup selector an error that does not say what has failed."""
    return _choosing(lambda context: replace(context, error=RuntimeError("the model has failed")))


@mutant("FAILOVER-07")
def counts_failovers_from_zero() -> AbstractContextManager[object]:
    """Numbers the calls of the backup selector from zero."""
    return _choosing(lambda context: replace(context, attempt=context.attempt - 1))


@mutant("FAILOVER-07")
@contextmanager
def counts_failovers_over_the_run() -> Iterator[None]:
    """Numbers the calls of the backup selector over all model calls of a run."""
    counts: dict[object, int] = {}

    def numbered(context: Context) -> Context:
        run = current_run.get()
        counts[run] = counts.get(run, 0) + 1
        return replace(context, attempt=counts[run])

    with _choosing(numbered):
        yield


@mutant("FAILOVER-19")
def fails_over_once_too_often() -> AbstractContextManager[object]:
    """Allows one failover more than the configuration."""

    async def replacement(call: Call, config: Config, model: AnyModel, request: Request) -> tuple[Tried, AnyModel]:
        more = replace(config, max_failovers=config.max_failovers + 1)
        return await failovers.failing_over(call, more, model, request)

    return _failing_over(replacement)


@mutant("FAILOVER-03")
def never_fails_over_by_default() -> AbstractContextManager[object]:
    """Takes zero for the default number of failovers."""

    class Never(FailoverConfig[AnyMessage], frozen=True):
        max_failovers: int = 0

    return patch.object(ref, "FailoverConfig", Never)


@mutant(
    "FAILOVER-04",
    neighbors={
        "FAILOVER-07": "the example compares the calls of the callbacks for two failures",
        "FAILOVER-18": "the example compares the calls of the callbacks for two failures",
    },
)
def calls_the_failover_predicate_once() -> AbstractContextManager[object]:
    """Calls the failover predicate after the first failure only, and reuses a positive result."""
    agrees = FailoverConfig.agrees
    agreed: list[Config] = []

    def once(self: Config, error: Exception) -> bool:
        if not any(one is self for one in agreed):
            if not agrees(self, error):
                return False
            agreed.append(self)
        return True

    return patch.object(FailoverConfig, "agrees", once)


@mutant("FAILOVER-05")
def reports_the_error_of_the_model_when_the_selector_fails() -> AbstractContextManager[object]:
    """Ends the run with the model's error when the backup selector fails."""
    choose = FailoverConfig.choose

    async def chooses(self: Config, context: Context, request: Request) -> tuple[AnyModel, Request]:
        try:
            return await choose(self, context, request)
        except Exception:
            raise context.error from None

    return patch.object(FailoverConfig, "choose", chooses)


@mutant("FAILOVER-06")
def calls_the_failed_model_when_the_selector_returns_none() -> AbstractContextManager[object]:
    """Calls the failed model again when the backup selector returns no model."""

    async def replacement(call: Call, config: Config, model: AnyModel, request: Request) -> tuple[Tried, AnyModel]:
        async def get_model(context: Context) -> AnyModel | tuple[AnyModel, Sequence[AnyMessage]]:
            assert config.get_model is not None
            return await config.get_model(context) or model

        return await failovers.failing_over(call, replace(config, get_model=get_model), model, request)

    return _failing_over(replacement)


def _answering(then: Callable[[ModelCalls[AnyMessage], Run], None]) -> AbstractContextManager[object]:
    """Call a function after each model call."""
    answered = ModelCalls._answered

    async def answers(self: ModelCalls[AnyMessage], run: Run, request: Request) -> Tried:
        attempt = await answered(self, run, request)
        then(self, run)
        return attempt

    return patch.object(ModelCalls, "_answered", answers)


@mutant(
    "FAILOVER-09",
    neighbors={
        "FAILOVER-11": "the second call of the backup would be another failover",
    },
)
def forgets_the_backup() -> AbstractContextManager[object]:
    """Begins each model call with the agent's own model."""

    def forgets(calls: ModelCalls[AnyMessage], run: Run) -> None:
        run.model = None

    return _answering(forgets)


@mutant("FAILOVER-10")
def keeps_the_backup_for_later_runs() -> AbstractContextManager[object]:
    """Begins later runs with the backup model that has succeeded."""

    def keeps(calls: ModelCalls[AnyMessage], run: Run) -> None:
        calls._model = run.model or calls._model

    return _answering(keeps)


@mutant("FAILOVER-11")
@contextmanager
def keeps_the_messages_for_the_backup() -> Iterator[None]:
    """Keeps the messages that the backup selector returned for the rest of the run."""
    finished = ModelCalls._finished
    sent: list[tuple[AnyMessage | None, Sequence[AnyMessage]]] = []

    async def replacement(call: Call, config: Config, model: AnyModel, request: Request) -> tuple[Tried, AnyModel]:
        async def noting(called: AnyModel, other: Request) -> Tried:
            attempt = await call(called, other)
            if other.messages != request.messages:
                sent.append((attempt.message, other.messages))
            return attempt

        return await failovers.failing_over(noting, config, model, request)

    async def finishes(self: ModelCalls[AnyMessage], state: State[AnyMessage]) -> State[AnyMessage]:
        answer = state.messages[-1]
        for known, messages in sent:
            if known is answer:
                state = replace(state, messages=(*messages, answer))
        return await finished(self, state)

    with _failing_over(replacement), patch.object(ModelCalls, "_finished", finishes):
        yield


@mutant("FAILOVER-12")
def passes_the_backup_no_tools() -> AbstractContextManager[object]:
    """Passes the tools to the agent's own model only."""
    choose = FailoverConfig.choose

    async def chooses(self: Config, context: Context, request: Request) -> tuple[AnyModel, Request]:
        return await choose(self, context, replace(request, tools=()))

    return patch.object(FailoverConfig, "choose", chooses)


@mutant(
    "FAILOVER-14",
    neighbors={
        "LOOP-26": "an example fails over from a broken stream",
        "FAILOVER-12": "an example fails over from a broken stream",
    },
)
def does_not_fail_over_after_a_chunk() -> AbstractContextManager[object]:
    """Does not fail over when chunks of the failed stream have been emitted."""

    async def replacement(call: Call, config: Config, model: AnyModel, request: Request) -> tuple[Tried, AnyModel]:
        shown: list[Exception] = []

        async def noting(model: AnyModel, request: Request) -> Tried:
            attempt = await call(model, request)
            if attempt.error is not None and attempt.stream is not None:
                shown.append(attempt.error)
            return attempt

        def decides(error: Exception) -> bool:
            return error not in shown and config.agrees(error)

        return await failovers.failing_over(noting, replace(config, should_failover=decides), model, request)

    return _failing_over(replacement)


@mutant(
    "FAILOVER-16",
    neighbors={
        "FAILOVER-12": "the example fails over at its second model call",
        "ORDER-MODEL-04": "the callbacks are not called in the example of the rule",
    },
)
def calls_the_backup_selector_in_advance() -> AbstractContextManager[object]:
    """Calls the backup selector when the agent's own model has answered, to have a backup for the next call."""

    async def replacement(call: Call, config: Config, model: AnyModel, request: Request) -> tuple[Tried, AnyModel]:
        attempt, answered = await failovers.failing_over(call, config, model, request)
        if attempt.error is None and answered is model and config.get_model is not None:
            await config.get_model(FailoverContext(0, request.messages, RuntimeError("nothing has failed yet")))
        return attempt, answered

    return _failing_over(replacement)


@mutant("FAILOVER-17")
def announces_a_failover_that_is_declined() -> AbstractContextManager[object]:
    """Ends each broken stream with a retry notice, and calls the failover predicate afterwards."""

    async def replacement(call: Call, config: Config, model: AnyModel, request: Request) -> tuple[Tried, AnyModel]:
        async def settled(model: AnyModel, request: Request) -> Tried:
            attempt = await call(model, request)
            if attempt.error is not None:
                attempt.settle(WillRetryError(0))
            return attempt

        return await failovers.failing_over(settled, config, model, request)

    return _failing_over(replacement)


@mutant("FAILOVER-18")
def passes_the_messages_of_the_last_backup_to_the_selector() -> AbstractContextManager[object]:
    """Passes the messages of the failed call to the backup selector, not the messages of the model call."""

    async def replacement(call: Call, config: Config, model: AnyModel, request: Request) -> tuple[Tried, AnyModel]:
        sent = [request]

        async def noting(called: AnyModel, other: Request) -> Tried:
            sent.append(other)
            return await call(called, other)

        async def get_model(context: Context) -> AnyModel | tuple[AnyModel, Sequence[AnyMessage]]:
            assert config.get_model is not None
            return await config.get_model(replace(context, messages=sent[-1].messages))

        return await failovers.failing_over(noting, replace(config, get_model=get_model), model, request)

    return _failing_over(replacement)
