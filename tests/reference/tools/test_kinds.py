"""The values of tools."""

from __future__ import annotations

import msgspec

from loopspec_reference import InterruptRun, ToolInfo


def test_a_tool_without_words_is_a_name() -> None:
    """Fields without a value are not stored either."""
    assert msgspec.json.encode(ToolInfo("add")) == b'{"name":"add"}'


def test_an_interrupt_carries_what_the_caller_and_the_tool_need() -> None:
    """Words for the one, a state for the other."""
    interrupt = InterruptRun(info="Is that so?", state={"step": 2})

    assert (interrupt.info, interrupt.state, str(interrupt)) == ("Is that so?", {"step": 2}, "Is that so?")


def test_an_interrupt_may_say_nothing() -> None:
    """Both are optional."""
    interrupt = InterruptRun()

    assert (interrupt.info, interrupt.state) == (None, None)
