"""The scripted middlewares of the plugin layer, for an adapter in the role `plugins`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy

from loopspec.contract.agents import Plugin
from loopspec.contract.calls import InvalidValue, View
from loopspec.contract.doubles import NoInside, StateHook
from loopspec.contract.values import Json

from .conversion import Change, M
from .hooks import HookDouble


class PluginDouble(HookDouble[M]):
    """A scripted middleware of the plugin layer: `change` takes the place of the four hooks.

    An `InvalidValue` may take the place of a change, a message, a request, an answer or a result: pass it on.
    """

    spec: Plugin

    def seeing(self, own: Mapping[str, Json], context: Mapping[str, Json] | None) -> PluginDouble[M]:
        """Return the double for a call that receives these values of its own state, and this runtime context."""
        double = copy(self)
        double._view = View(own=dict(own), context=None if context is None else dict(context))
        return double

    async def change(
        self, hook: StateHook, messages: Sequence[M], assign: Callable[[str, Json], None]
    ) -> Change[M] | InvalidValue:
        """Return the state that a hook returns. `assign` changes a value of the runtime context, or raises."""
        return await self._state(hook, messages, None, None, _Assigning(assign))


class _Assigning(NoInside):
    """The inside of a run for a middleware of the plugin layer, which has its own state and nothing else of the run."""

    def __init__(self, assign: Callable[[str, Json], None]) -> None:
        self._assign = assign

    def assign(self, key: str, value: Json) -> None:
        """Change a value of the runtime context."""
        self._assign(key, value)
