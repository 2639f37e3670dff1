"""Jumps: their targets, and the hooks that they skip."""

from __future__ import annotations

from typing import Any

import pytest

from loopspec_reference import AgentContext, Handler, Message, MessageEvent
from loopspec_reference.plugins import (
    Hook,
    HookState,
    JumpError,
    Middleware,
    Runtime,
)
from loopspec_reference.runs.run import jump_to

from ..doubles import QUESTION, Answers, agent, asks, drain, returning, texts_of
from .stacks import failure, returns, stacked, tracing

HOOKS = ["before_agent", "before_model", "after_model", "after_agent"]


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


@pytest.mark.parametrize("hook", ["before_agent", "before_model"])
def test_a_jump_to_the_end_skips_the_model(hook: str) -> None:
    """The remaining hooks are skipped; the last message is the answer, and the after-agent hook receives it."""
    trace: list[str] = []
    model = Answers("4")
    update = {"jump_to": "end", "messages": [QUESTION, Message.assistant("No.")]}
    first = Middleware("m", **{hook: returns(update)})
    events = drain(stacked(model, first, tracing("A", trace)).run([QUESTION]))

    assert events == [MessageEvent("agent", ("agent",), Message.assistant("No."))]
    assert model.requests == []
    assert trace == (["A after agent"] if hook == "before_agent" else ["A before agent", "A after agent"])


def test_a_jump_to_the_end_may_leave_no_answer() -> None:
    """Without an answer, no message is reported; a run without any message fails."""
    ends = Middleware("m", before_model=returns({"jump_to": "end"}))
    assert drain(stacked(Answers("4"), ends).run([QUESTION])) == []
    assert failure(drain(stacked(Answers("4"), ends).run([]))) == (
        "NothingReturnedError: the run ended by a jump before it had any message"
    )


def test_a_jump_to_the_end_reports_no_answer_twice() -> None:
    """An answer of the model was reported before, and a message of the caller is not reported."""

    def later(state: HookState, runtime: Runtime) -> dict[str, Any] | None:
        return {"jump_to": "end"} if state.messages[-1].role == "assistant" else None

    back = Middleware("m", before_model=later, after_model=returns({"jump_to": "model"}))
    model = Answers("draft", "never")
    assert texts_of(drain(stacked(model, back).run([QUESTION]))) == ["draft"]
    assert texts_of(drain(stacked(model, back).run([QUESTION, Message.assistant("known")]))) == []
    assert len(model.requests) == 1


def test_a_jump_to_the_tools_makes_the_pending_calls() -> None:
    """No model call precedes the tool calls, and after-model hooks are skipped."""
    trace: list[str] = []
    model, tool = Answers("4"), returning("add", "4")

    def once(state: HookState, runtime: Runtime) -> dict[str, Any] | None:
        return {"jump_to": "tools"} if state.messages[-1].tool_calls else None

    built = stacked(model, tracing("A", trace), Middleware("m", before_model=once), tools=[tool])
    drain(built.run([QUESTION, asks("add")]))

    assert len(tool.calls) == 1
    assert [message.role for message in model.given[0]] == ["user", "assistant", "tool"]
    assert trace.count("A before model") == 2
    assert trace.count("A after model") == 1


def test_a_jump_to_the_model_before_the_model_skips_the_other_hooks() -> None:
    """Only the remaining hooks are skipped; a jump from a before-agent hook does not skip before-model hooks."""
    trace: list[str] = []
    model = Answers("4")
    jumps = returns({"jump_to": "model"})
    drain(stacked(model, Middleware("m", before_agent=jumps, before_model=jumps), tracing("A", trace)).run([QUESTION]))
    drain(stacked(model, Middleware("m", before_agent=jumps), tracing("B", trace)).run([QUESTION]))

    assert len(model.requests) == 2
    around = ["into model", "out of model", "after model", "after agent"]
    assert trace == [*(f"A {what}" for what in around), *(f"B {what}" for what in ["before model", *around])]


def test_a_jump_to_the_model_after_the_model_skips_the_calls() -> None:
    """The model is called next; the remaining hooks are skipped (after-model hooks run in reverse order)."""
    trace: list[str] = []
    model, tool = Answers(asks("add"), "4"), returning("add", "4")

    def again(state: HookState, runtime: Runtime) -> dict[str, Any] | None:
        return {"jump_to": "model"} if state.messages[-1].tool_calls else None

    built = stacked(model, tracing("A", trace), Middleware("m", after_model=again), tools=[tool])
    drain(built.run([QUESTION]))

    assert len(model.requests) == 2
    assert tool.calls == []
    assert trace.count("A before model") == 2
    assert trace.count("A after model") == 1


def test_a_jump_to_the_end_after_the_model_skips_the_calls() -> None:
    """The run ends with the answer that contains the calls, and the after-agent hook receives it."""
    trace: list[str] = []
    tool = returning("add", "4")
    ends = Middleware("m", after_model=returns({"jump_to": "end"}))
    events = drain(stacked(Answers(asks("add")), tracing("A", trace), ends, tools=[tool]).run([QUESTION]))

    assert [event.message for event in events if isinstance(event, MessageEvent)] == [asks("add")]
    assert len(events) == 1
    assert tool.calls == []
    assert trace[-1] == "A after agent"


def test_a_jump_to_the_tools_after_the_model_makes_the_calls() -> None:
    """The calls are made if there are any; otherwise the model is called again."""
    model, tool = Answers(asks("add"), "4", "5"), returning("add", "4")

    def jumps(state: HookState, runtime: Runtime) -> dict[str, Any] | None:
        return {"jump_to": "tools"} if state.messages[-1].text != "5" else None

    events = drain(stacked(model, Middleware("m", after_model=jumps), tools=[tool]).run([QUESTION]))

    assert len(tool.calls) == 1
    assert texts_of(events) == ["", "4", "4", "5"]


@pytest.mark.parametrize(
    ("hook", "target"), [("before_model", "tools"), ("after_model", "model"), ("after_model", "tools")]
)
def test_an_endless_jump_reaches_the_limit(hook: str, target: str) -> None:
    """Each iteration counts, whether the model is called or not."""
    middleware = Middleware("m", **{hook: returns({"jump_to": target})})
    events = drain(stacked(Answers("4"), middleware, max_iterations=3).run([QUESTION]))

    assert failure(events) == "IterationLimitError: 'agent' has called its model 3 times without an end"


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
