"""Jumps: their targets, and the hooks that they skip."""

from __future__ import annotations

import pytest

from loopspec_reference import AgentContext, Handler, Message
from loopspec_reference.plugins import (
    Hook,
    JumpError,
    Middleware,
)
from loopspec_reference.runs.run import jump_to

from ..doubles import QUESTION, Answers, agent, drain, texts_of
from .stacks import failure, returns, stacked


def test_a_jump_has_to_be_declared_if_targets_are_declared() -> None:
    """A hook without a declaration may jump anywhere."""
    jumps = {"jump_to": "end"}
    for declared, ends in [
        (None, "answered"),
        (frozenset({"end"}), "answered"),
        (frozenset({"model"}), "model"),
        (frozenset(), "none"),
    ]:
        middleware = Middleware("m", after_model=Hook(returns(jumps), declared))
        events = drain(stacked(Answers("4"), middleware).run([QUESTION]))
        if ends == "answered":
            assert texts_of(events) == ["4"]
        else:
            assert failure(events) == (
                f"JumpError: the after_model of the middleware 'm' jumps to 'end', but declares {ends}: "
                "add it to can_jump_to"
            )


def test_an_unknown_declared_target_is_rejected() -> None:
    """The error is raised when the hook is built."""
    with pytest.raises(JumpError, match=r"^a hook declares a jump to 'start': choose from model, tools, end$"):
        Hook(returns(None), frozenset({"start"}))


def test_a_handler_can_jump_too() -> None:
    """The loop supports jumps without middlewares; the jump to the end wins, and an unknown target is an error."""

    class Ending(Handler[Message]):
        async def before_agent(self, context: AgentContext) -> AgentContext:
            with pytest.raises(ValueError, match=r"^a run cannot jump to 'start': choose one of model, tools, end$"):
                jump_to("start")  # type: ignore[arg-type]  # an invalid target
            jump_to("end")
            jump_to("model")
            return context

    model = Answers("4")
    assert drain(agent(model, handlers=[Ending()]).run([QUESTION])) == []
    assert model.requests == []
