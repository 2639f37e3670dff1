"""Then: which context values reach somebody, where neither a hook nor a call of its own says it."""

from __future__ import annotations

from loopspec.contract.mismatch import Mismatch, expect, shown
from loopspec.contract.observation import Observation

from ..hooks import hook_of
from ..phrasebook import then
from .observed import hook_call, input_generation


@then('{where:Where}, the context of "{handler}", or of "{other}", has "{key}" as "{value}"')
def context_of_one_of_two(seen: Observation, where: str, handler: str, other: str, key: str, value: str) -> None:
    """A context value, as one of two calls of a hook has it: which of the two comes later, nothing says."""
    values = [hook_call(seen, name, hook_of(where)).context.get(key) for name in (handler, other)]
    if value not in values:
        found = [f"{name}: {shown(one)}" for name, one in zip((handler, other), values, strict=True)]
        raise Mismatch(f"the context value {key!r}", f"{value} for {handler} or for {other}", found)


@then('the context of the input generation has "{key}" as "{value}"')
def context_of_input_generation(seen: Observation, key: str, value: str) -> None:
    """A context value, as the custom input generation has it."""
    expect(f"the context value {key!r}", value, input_generation(seen).context.get(key))
