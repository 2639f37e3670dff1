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
from loopspec_reference.runs.run import Run

from ..registry import mutant

AnyModel = Model[AnyMessage]
Call = Caller[AnyMessage]
Config = FailoverConfig[AnyMessage]
Context = FailoverContext[AnyMessage]
Request = ModelRequest[AnyMessage]
Tried = Attempt[AnyMessage]
FailingOver = Callable[[Call, Config, AnyModel, Request], Awaitable[tuple[Tried, AnyModel]]]


def _failing_over(instead: FailingOver) -> AbstractContextManager[object]:
    return patch.object(model_calls, "failing_over", instead)


@mutant(
    "FAILOVER-01",
    neighbors={
        "FAILOVER-09": "its run, too, fails over, and its calls are counted",
    },
)
def gives_the_model_a_last_chance() -> AbstractContextManager[object]:
    """Opens the stream of the model that has failed once more before the one that was chosen is called."""

    async def instead(call: Call, config: Config, model: AnyModel, request: Request) -> tuple[Tried, AnyModel]:
        async def patient(asked: AnyModel, request: Request) -> Tried:
            if asked is not model and request.streaming:
                attempt = await call(model, request)
                if attempt.error is None:
                    return attempt
            return await call(asked, request)

        return await failovers.failing_over(patient, config, model, request)

    return _failing_over(instead)


def _choosing(change: Callable[[Context], Context]) -> AbstractContextManager[object]:
    """Tell who chooses something else."""
    choose = FailoverConfig.choose

    async def chooses(self: Config, context: Context, request: Request) -> tuple[AnyModel, Request]:
        return await choose(self, change(context), request)

    return patch.object(FailoverConfig, "choose", chooses)


@mutant("FAILOVER-02", neighbors={"FAILOVER-04": "what is asked there is asked with the error"})
def hides_the_error_from_who_chooses() -> AbstractContextManager[object]:
    """Tells who chooses a model that something has failed, and not what."""
    return _choosing(lambda context: replace(context, error=RuntimeError("the model has failed")))


@mutant("FAILOVER-07")
def counts_failovers_from_nought() -> AbstractContextManager[object]:
    """Numbers the choices from 0 on."""
    return _choosing(lambda context: replace(context, attempt=context.attempt - 1))


@mutant("FAILOVER-03")
def fails_over_never_by_default() -> AbstractContextManager[object]:
    """Takes a number of failovers that is left out for 0."""

    class Never(FailoverConfig[AnyMessage], frozen=True):
        max_failovers: int = 0

    return patch.object(ref, "FailoverConfig", Never)


@mutant(
    "FAILOVER-04",
    neighbors={
        "FAILOVER-07": "it shows each question about its two failures",
        "FAILOVER-18": "it shows each question about its two failures",
    },
)
def asks_once_whether_to_fail_over() -> AbstractContextManager[object]:
    """Asks after the first failure only, and remembers a yes."""
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
def blames_the_model_when_none_can_be_chosen() -> AbstractContextManager[object]:
    """Ends the run with the model's error when choosing another one fails."""
    choose = FailoverConfig.choose

    async def chooses(self: Config, context: Context, request: Request) -> tuple[AnyModel, Request]:
        try:
            return await choose(self, context, request)
        except Exception:
            raise context.error from None

    return patch.object(FailoverConfig, "choose", chooses)


@mutant("FAILOVER-06")
def takes_no_model_for_the_same() -> AbstractContextManager[object]:
    """Calls the model that has failed again when no other is given."""

    async def instead(call: Call, config: Config, model: AnyModel, request: Request) -> tuple[Tried, AnyModel]:
        async def get_model(context: Context) -> AnyModel | tuple[AnyModel, Sequence[AnyMessage]]:
            assert config.get_model is not None
            return await config.get_model(context) or model

        return await failovers.failing_over(call, replace(config, get_model=get_model), model, request)

    return _failing_over(instead)


def _answering(then: Callable[[ModelCalls[AnyMessage], Run], None]) -> AbstractContextManager[object]:
    """Do something more after each model call."""
    answered = ModelCalls._answered

    async def answers(self: ModelCalls[AnyMessage], run: Run, request: Request) -> Tried:
        attempt = await answered(self, run, request)
        then(self, run)
        return attempt

    return patch.object(ModelCalls, "_answered", answers)


@mutant(
    "FAILOVER-09",
    neighbors={
        "FAILOVER-11": "the second call of its backup would be a failover, too",
    },
)
def forgets_the_backup() -> AbstractContextManager[object]:
    """Begins each model call with the agent's own model."""

    def forgets(calls: ModelCalls[AnyMessage], run: Run) -> None:
        run.model = None

    return _answering(forgets)


@mutant("FAILOVER-10")
def stays_with_the_backup() -> AbstractContextManager[object]:
    """Begins later runs with the backup that has succeeded."""

    def keeps(calls: ModelCalls[AnyMessage], run: Run) -> None:
        calls._model = run.model or calls._model

    return _answering(keeps)


@mutant("FAILOVER-11")
@contextmanager
def keeps_what_the_backup_was_sent() -> Iterator[None]:
    """Takes the messages chosen with a model for the conversation from then on."""
    finished = ModelCalls._finished
    sent: list[tuple[AnyMessage | None, Sequence[AnyMessage]]] = []

    async def instead(call: Call, config: Config, model: AnyModel, request: Request) -> tuple[Tried, AnyModel]:
        async def noting(asked: AnyModel, other: Request) -> Tried:
            attempt = await call(asked, other)
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

    with _failing_over(instead), patch.object(ModelCalls, "_finished", finishes):
        yield


@mutant("FAILOVER-12")
def gives_the_backup_no_tools() -> AbstractContextManager[object]:
    """Has bound the tools to the agent's own model only."""
    choose = FailoverConfig.choose

    async def chooses(self: Config, context: Context, request: Request) -> tuple[AnyModel, Request]:
        return await choose(self, context, replace(request, tools=()))

    return patch.object(FailoverConfig, "choose", chooses)


@mutant("FAILOVER-14")
def gives_up_with_a_broken_stream() -> AbstractContextManager[object]:
    """Does not fail over when some of a stream has been shown."""

    async def instead(call: Call, config: Config, model: AnyModel, request: Request) -> tuple[Tried, AnyModel]:
        shown: list[Exception] = []

        async def noting(model: AnyModel, request: Request) -> Tried:
            attempt = await call(model, request)
            if attempt.error is not None and attempt.stream is not None:
                shown.append(attempt.error)
            return attempt

        def decides(error: Exception) -> bool:
            return error not in shown and config.agrees(error)

        return await failovers.failing_over(noting, replace(config, should_failover=decides), model, request)

    return _failing_over(instead)


@mutant("FAILOVER-16", neighbors={"ORDER-MODEL-04": "no question is asked there either"})
def chooses_in_advance() -> AbstractContextManager[object]:
    """Asks for a backup when the agent's own model has answered, to have one the next time."""

    async def instead(call: Call, config: Config, model: AnyModel, request: Request) -> tuple[Tried, AnyModel]:
        attempt, answered = await failovers.failing_over(call, config, model, request)
        if attempt.error is None and answered is model and config.get_model is not None:
            await config.get_model(FailoverContext(0, request.messages, RuntimeError("nothing has failed yet")))
        return attempt, answered

    return _failing_over(instead)


@mutant("FAILOVER-17")
def promises_a_failover_that_is_declined() -> AbstractContextManager[object]:
    """Ends each broken stream as if another call followed, and decides about a failover afterwards."""

    async def instead(call: Call, config: Config, model: AnyModel, request: Request) -> tuple[Tried, AnyModel]:
        async def settled(model: AnyModel, request: Request) -> Tried:
            attempt = await call(model, request)
            if attempt.error is not None:
                attempt.settle(WillRetryError(0))
            return attempt

        return await failovers.failing_over(settled, config, model, request)

    return _failing_over(instead)


@mutant("FAILOVER-18")
def chooses_by_what_the_last_backup_was_sent() -> AbstractContextManager[object]:
    """Passes the messages of the failed call to the choice of a backup, and not those of the model call."""

    async def instead(call: Call, config: Config, model: AnyModel, request: Request) -> tuple[Tried, AnyModel]:
        sent = [request]

        async def noting(asked: AnyModel, other: Request) -> Tried:
            sent.append(other)
            return await call(asked, other)

        async def get_model(context: Context) -> AnyModel | tuple[AnyModel, Sequence[AnyMessage]]:
            assert config.get_model is not None
            return await config.get_model(replace(context, messages=sent[-1].messages))

        return await failovers.failing_over(noting, replace(config, get_model=get_model), model, request)

    return _failing_over(instead)
