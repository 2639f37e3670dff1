"""The values of tools."""

from __future__ import annotations

import msgspec

from loopspec_reference import InterruptRun, ToolInfo


def test_a_tool_needs_only_a_name() -> None:
    """Fields without a value are not stored."""
    assert msgspec.json.encode(ToolInfo("add")) == b'{"name":"add"}'


def test_an_interrupt_has_an_info_and_a_state() -> None:
    """The info is for the caller, and the state for the tool."""
    interrupt = InterruptRun(info="Is that so?", state={"step": 2})

    assert (interrupt.info, interrupt.state, str(interrupt)) == ("Is that so?", {"step": 2}, "Is that so?")


def test_an_interrupt_may_be_empty() -> None:
    """Both values are optional."""
    interrupt = InterruptRun()

    assert (interrupt.info, interrupt.state) == (None, None)
