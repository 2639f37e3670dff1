"""Then: context values."""

from __future__ import annotations

from loopspec.contract.mismatch import Mismatch, expect, shown
from loopspec.contract.observation import Observation

from ..hooks import hook_of
from ..phrasebook import then
from .observed import hook_call, input_generation


@then('{where:Where}, the context of "{handler}" or of "{other}" has the value "{value}" under "{key}"')
def context_of_one_of_two(seen: Observation, where: str, handler: str, other: str, key: str, value: str) -> None:
    """One of the two handlers receives the context value. Nothing orders the two hooks."""
    values = [hook_call(seen, name, hook_of(where)).context.get(key) for name in (handler, other)]
    if value not in values:
        found = [f"{name}: {shown(one)}" for name, one in zip((handler, other), values, strict=True)]
        raise Mismatch(f"the context value {key!r}", f"{value} for {handler} or for {other}", found)


@then('the context of the custom input function has the value "{value}" under "{key}"')
def context_of_input_generation(seen: Observation, key: str, value: str) -> None:
    """The custom input generation receives the context value."""
    expect(f"the context value {key!r}", value, input_generation(seen).context.get(key))
