"""Then: what resumed tool calls receive."""

from __future__ import annotations

from loopspec.contract.mismatch import Mismatch, expect
from loopspec.contract.observation import Observation, ToolRun
from loopspec.contract.values import Json

from ..cells import as_json
from ..phrasebook import then
from .hooks import tool_run


@then('call {call:d} of the tool "{tool}" receives its saved state')
def tool_finds_its_state(seen: Observation, call: int, tool: str) -> None:
    """The call receives the state that the same call stored at its interrupt."""
    _expect_state(tool_run(seen, tool, call))


@then('call {call:d} of the tool "{tool}" receives the resume data "{answer}"')
def tool_is_answered(seen: Observation, call: int, tool: str, answer: str) -> None:
    """The call receives the data that the caller gave for the interrupt."""
    _expect_data(tool_run(seen, tool, call), answer)


@then('in run {run:d}, the call "{call}" receives its saved state')
def call_finds_its_state(seen: Observation, run: int, call: str) -> None:
    """The tool call with this id receives the state that the same call stored at its interrupt."""
    _expect_state(_tool_call(seen, run, call))


@then('in run {run:d}, the call "{call}" receives the resume data "{answer}"')
def call_is_answered(seen: Observation, run: int, call: str, answer: str) -> None:
    """The tool call with this id receives the data that the caller gave for its interrupt."""
    _expect_data(_tool_call(seen, run, call), answer)


@then('in run {run:d}, the call "{call}" receives the resume data {value} as JSON')
def call_is_answered_with_json(seen: Observation, run: int, call: str, value: str) -> None:
    """The tool call with this id receives the JSON value that the caller gave for its interrupt."""
    _expect_data(_tool_call(seen, run, call), as_json(value))


def _expect_state(run: ToolRun) -> None:
    expect("the state", {"left by": run.tool, "call": run.call.id}, run.resumed and run.resumed.state)


def _expect_data(run: ToolRun, answer: Json) -> None:
    if run.resumed is None:
        raise Mismatch("the tool call", "is resumed", "is not resumed")
    expect("the caller's answer", [answer], [run.resumed.data])


def _tool_call(seen: Observation, run: int, call: str) -> ToolRun:
    calls = [one for one in seen.tool_runs if one.run == str(run) and one.call.id == call]
    if len(calls) != 1:
        raise Mismatch(f"how often the call {call!r} is made in run {run}", 1, len(calls))
    return calls[0]
