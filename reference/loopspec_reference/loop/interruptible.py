"""Hooks of a model call that can interrupt the run: a resumed run calls the hook again, with the caller's answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Generic

from msgspec.structs import replace

from ..calls.replays import Replay, Resumption
from ..handlers.handler import Handler, ModelContext, State
from ..runs.checkpoints import Checkpoint, HookName, InterruptedHook, Stop, hook_call_id
from ..runs.run import Run, current_run
from ..tools.kinds import InterruptRun
from ..values.errors import checked
from ..values.messages import M

Edit = Callable[[State[M], ModelContext[M]], Awaitable[State[M]]]


class Interruptible(Generic[M]):
    """A handler whose hook before or after the model can interrupt the run. `place` is that among such handlers.

    In a resumed model call, the hooks before the one that interrupted have returned, and are not called again.
    """

    def __init__(self, handler: Handler[M], place: int) -> None:
        self._handler = handler
        self._place = place

    async def before_model(self, state: State[M], context: ModelContext[M]) -> State[M]:
        """Call the hook, unless it has returned."""
        return await self._call("before_model", self._handler.before_model, state, context)

    async def after_model(self, state: State[M], context: ModelContext[M]) -> State[M]:
        """Call the hook, unless it has returned."""
        return await self._call("after_model", self._handler.after_model, state, context)

    async def _call(self, hook: HookName, edit: Edit[M], state: State[M], context: ModelContext[M]) -> State[M]:
        run = _run()
        if has_returned(hook, self._place):
            return state
        if run.resumed_hook is not None:
            left, resumed = run.resumed_hook
            context = replace(context, resumed=resumed if (hook, self._place) == (left.hook, left.place) else None)
        try:
            return checked(await edit(state, context), State, self._handler)
        except InterruptRun as interrupt:
            raise _stop(run, state, interrupt, InterruptedHook(hook, self._place, interrupt.state)) from None


_MODEL_CALL = -1  # the place of the model call among the calls under way
_ORDER: Sequence[HookName] = ("before_model", "wrap_model", "after_model")


def has_returned(hook: HookName, place: int = -1) -> bool:
    """Return whether a hook of the model call under way returned before another one interrupted the run."""
    resumed = _run().resumed_hook
    if resumed is None:
        return False
    left = resumed[0]
    return (_ORDER.index(hook), place) < (_ORDER.index(left.hook), left.place)


def stop_of_wrapper(run: Run, state: State[M], interrupt: InterruptRun) -> Stop:
    """Return the stop of a run that a model wrapper interrupts. The wrapper is called again with the same request."""
    replay = run.replays.get(_MODEL_CALL, Replay())
    left = InterruptedHook("wrap_model", replay.depth or 0, interrupt.state, replay.answers)
    return _stop(run, state, interrupt, left)


def resumption() -> Resumption:
    """Return what the wrappers resume with in an attempt of the model call under way."""
    run, replay, resumed = _run(), Replay(), None
    if run.resumed_hook is not None and run.resumed_hook[0].hook == "wrap_model":
        left, resumed = run.resumed_hook
        replay = Replay(left.place, left.answers)
        run.resumed_hook = replace(left, answers=()), resumed  # another attempt makes other inner calls
    return Resumption(replay, resumed, partial(run.replays.__setitem__, _MODEL_CALL))


def _stop(run: Run, state: State[M], interrupt: InterruptRun, hook: InterruptedHook) -> Stop:
    """Return the stop of a run that a hook interrupts. The hook is called again with the state."""
    return Stop(Checkpoint.of(run, state, run.iteration, hook=hook), [(hook_call_id(run.iteration), interrupt)])


def _run() -> Run:
    run = current_run.get()
    assert run is not None, "hooks are called by a run"
    return run
