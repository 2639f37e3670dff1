"""The exceptions of the reference as the contract's kinds."""

from __future__ import annotations

import sys
from collections.abc import ItemsView, Iterator, Mapping
from functools import cache

from loopspec.contract.doubles import ScriptedError
from loopspec.contract.values import ErrorKind

Kinds = Mapping[type[BaseException], ErrorKind]


class ErrorKinds(Mapping[type[BaseException], ErrorKind]):
    """The kinds of the exceptions of the imported parts of the reference.

    A part that is not imported raises nothing. So a look at the kinds, such as the check of a target, imports nothing.
    """

    def __getitem__(self, error: type[BaseException]) -> ErrorKind:
        return _imported_kinds()[error]

    def __iter__(self) -> Iterator[type[BaseException]]:
        return iter(_imported_kinds())

    def items(self) -> ItemsView[type[BaseException], ErrorKind]:
        return _imported_kinds().items()

    def __len__(self) -> int:
        return len(_imported_kinds())


def is_refusal(error: Exception) -> bool:
    """Return whether the error means that an agent cannot be built: a configuration error, or a scripted one."""
    import loopspec_reference as ref
    from loopspec_reference.plugins import PluginError

    return isinstance(error, ref.ConfigError | PluginError | ScriptedError)


def _imported_kinds() -> Kinds:
    if "loopspec_reference" not in sys.modules:
        return {}
    return _all_kinds() if "loopspec_reference.plugins" in sys.modules else _loop_kinds()


@cache
def _all_kinds() -> Kinds:
    return {**_loop_kinds(), **_plugin_kinds()}


@cache
def _loop_kinds() -> Kinds:
    import loopspec_reference as ref

    return {
        ref.ConfigError: "invalid_config",
        ref.OutsideRunError: "outside_run",
        ref.UnregisteredTypeError: "unregistered_type",
        ref.InstructionError: "instruction",
        ref.NothingReturnedError: "nothing_returned",
        ref.UnknownToolError: "unknown_tool",
        ref.IterationLimitError: "max_iterations",
        ref.RetriesExhaustedError: "retries_exhausted",
        ref.WillRetryError: "will_retry",
        ref.StreamCancelledError: "stream_cancelled",
        ref.CancelError: "cancel",
        ref.CheckpointError: "checkpoint",
    }


@cache
def _plugin_kinds() -> Kinds:
    from loopspec_reference import plugins

    return {
        plugins.StrategyError: "strategy",
        plugins.UnknownProviderError: "unknown_provider",
        plugins.OptionsError: "options",
        plugins.GraphError: "graph",
        plugins.ContextError: "context",
        plugins.HookError: "hook",
        plugins.JumpError: "jump",
    }
