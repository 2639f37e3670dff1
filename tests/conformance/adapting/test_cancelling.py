"""A run is cancelled with the framework's own function, and its caller waits for the end of the run."""

from __future__ import annotations

import asyncio

import pytest

from loopspec.contract.scene import Cancel
from loopspec.contract.values import Began
from loopspec.engine.judge import judge
from loopspec.specification.features import compiled
from loopspec.targets.python import PythonTarget
from loopspec_adapting import Parts, Reporter
from loopspec_adapting.cancelling import Cancels

from .bundles import Bundle, Bundled

# The rules about immediate requests, and about runs without a request that takes effect.
RULES = {"CANCEL-07", "CANCEL-08", "CANCEL-09", "CANCEL-10", "CANCEL-20"}
AT = Began(run="1")


class RunStopped(Exception): ...


class Cancellable(Bundled):
    """A framework whose caller cancels the task of a run."""

    capabilities = (*Bundled.capabilities, "cancel", "synchronous-cancel")
    error_kinds = {**Bundled.error_kinds, RunStopped: "cancel", asyncio.CancelledError: "stream_cancelled"}

    async def run(self, agent: Parts[Bundle], messages: list[Bundle], report: Reporter[Bundle]) -> None:
        task = asyncio.create_task(super().run(agent, messages, report))
        report.cancels.cancel_with(task.cancel)
        try:
            await task
        except asyncio.CancelledError:
            report.cancelled(None)
            raise RunStopped from None


class Silent(Cancellable):
    """An adapter that cancels a run and does not report the cancellation."""

    async def run(self, agent: Parts[Bundle], messages: list[Bundle], report: Reporter[Bundle]) -> None:
        report.cancelled = lambda *_: None  # type: ignore[method-assign]  # the mistake
        await super().run(agent, messages, report)


def verdicts_of(adapter: type[Bundled]) -> dict[str, str]:
    """The verdicts of the cases that an adapter can be judged by."""
    target = PythonTarget(adapter, "test")
    results = [judge(case, target) for case in compiled() if RULES & set(case.rule.ids)]
    target.close()
    return {result.case: result.verdict for result in results if result.verdict != "inapplicable"}


def test_a_framework_that_cancels_a_task_is_cancelled() -> None:
    """Requests during, before and after a run; also a stream that is cut off."""
    verdicts = verdicts_of(Cancellable)

    assert {case.partition(" ")[0] for case in verdicts} == RULES
    at_a_safe_point = {case for case in verdicts if case.startswith("CANCEL-09 :: After")}
    stubborn = {case for case in verdicts if case.endswith("that ignores cancellation")}
    assert {case for case, verdict in verdicts.items() if verdict != "passed"} == at_a_safe_point | stubborn


def test_a_cancellation_that_is_not_reported_is_noticed() -> None:
    """The caller of the run waits for a cancellation, and the run ends otherwise."""
    verdicts = verdicts_of(Silent)

    assert verdicts["CANCEL-07 :: Immediately, during a model call of a synchronous run"] == "failed"


@pytest.mark.parametrize("earlier", [True, False])
def test_an_immediate_request_calls_the_function(earlier: bool) -> None:
    """Also if the request precedes the function. A request for a safe point does not call the function."""
    cancels, called = Cancels(), list[str]()
    if earlier:
        cancels.request(Cancel(at=AT))
    cancels.cancel_with(lambda: called.append("cancel"))
    cancels.request(Cancel(at=AT, modes=("after tools",)))
    assert called == ["cancel"] * earlier

    cancels.request(Cancel(at=AT))
    assert called == ["cancel"] * (1 + earlier)


def test_a_safe_point_is_due_if_a_request_names_it() -> None:
    """Also if another request names another one."""
    cancels = Cancels()
    assert not cancels.due("after model")

    cancels.request(Cancel(at=AT, modes=("after tools",)))
    assert (cancels.due("after model"), cancels.due("after tools")) == (False, True)

    cancels.request(Cancel(at=AT, modes=("after model",)))
    assert cancels.due("after model")


def test_a_request_after_the_run_has_no_effect() -> None:
    """The caller knows that the run is over, and the framework is not called."""
    cancels, called = Cancels(), list[str]()
    cancels.cancel_with(lambda: called.append("cancel"))
    cancels.over.set()

    handle = cancels.request(Cancel(at=AT))

    assert (handle.contributed, asyncio.run(handle.wait()), called) == (False, "ended", [])
