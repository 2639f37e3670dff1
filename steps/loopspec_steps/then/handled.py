"""Then: the handler under test."""

from __future__ import annotations

from collections.abc import Sequence

from loopspec.contract.mismatch import Mismatch, expect, shown
from loopspec.contract.observation import Observation
from loopspec.contract.values import Message

from ..phrasebook import LooksAt, then
from .observed import MESSAGES, require

_OBSERVED = LooksAt("reports-handler")
_HOOKS = {"before agent", "before model", "around model", "after model", "after agent"}


def _all_hooks(seen: Observation) -> None:
    """The handler must have been asked at all."""
    missing = _HOOKS - {call.hook for call in seen.handled}
    require(not missing, "the hooks that were called", sorted(_HOOKS), sorted(_HOOKS - missing))


@then("the handler under test does not modify its inputs", looks_at=_OBSERVED)
def leaves_what_it_is_given(seen: Observation) -> None:
    """No hook changes its input in place."""
    _all_hooks(seen)
    expect("the hooks that change what they are given", [], [call.hook for call in seen.handled if not call.kept])


@then("each hook of the handler under test returns a valid result", looks_at=_OBSERVED)
def returns_something(seen: Observation) -> None:
    """Every hook returns a value of the right type."""
    _all_hooks(seen)
    expect("the hooks that return an invalid value", [], [call.hook for call in seen.handled if not call.returned])


@then("called again on its own result, the handler under test changes nothing", looks_at=_OBSERVED)
def changes_nothing_more(seen: Observation) -> None:
    """The before-model and after-model hooks do not change their own results."""
    tried = [call for call in seen.handled if call.changes is not None]
    require(tried, "the hooks that were called again", "some", "none")
    expect("the hooks that change more", [], [call.hook for call in tried if call.changes])


@then("all runs make the same model calls")
def all_runs_send_the_same(seen: Observation) -> None:
    """The model calls of every run receive the same messages and tools as those of run 1."""
    runs = {end.run for end in seen.runs}
    sent = {run: [(c.messages, c.tools) for c in seen.model_calls if c.run == run] for run in sorted(runs)}
    require(sent.get("1"), "the model calls of run 1", "some", "none")
    for run, calls in sent.items():
        expect(f"the number of model calls of run {run}", len(sent["1"]), len(calls))
        for number, (first, call) in enumerate(zip(sent["1"], calls, strict=True), 1):
            if call != first:
                raise Mismatch(f"what model call {number} of run {run} is sent", _in_lines(*first), _in_lines(*call))


def _in_lines(messages: Sequence[Message], tools: Sequence[str]) -> list[str]:
    extra = [f"{key}: {shown(value)}" for message in messages for key, value in message.extra.items()]
    rows = MESSAGES.seen(messages, [column.name for column in MESSAGES])
    answered = [f"{message.tool_call_id}: a result of {message.tool_name}" for message in messages if message.tool_name]
    return [*rows, *answered, *extra, f"tools: {', '.join(tools) or 'none'}"]
