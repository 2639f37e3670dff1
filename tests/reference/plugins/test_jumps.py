"""Where a hook can send the run, and what is left out on the way."""

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

from ..doubles import QUESTION, Answers, agent, asks, heard, returning, said
from .stacks import failure, returns, stacked, tracing

HOOKS = ["before_agent", "before_model", "after_model", "after_agent"]


def test_a_jump_has_to_be_declared_if_anything_is() -> None:
    """An object that declares nothing in particular may go anywhere."""
    jumps = {"jump_to": "end"}
    for declared, ends in [
        (None, "said"),
        (frozenset({"end"}), "said"),
        (frozenset({"model"}), "model"),
        (frozenset(), "none"),
    ]:
        middleware = Middleware("m", after_model=Hook(returns(jumps), declared))
        events = heard(stacked(Answers("4"), middleware).run([QUESTION]))
        if ends == "said":
            assert said(events) == ["4"]
        else:
            assert failure(events) == (
                f"JumpError: the after_model of the middleware 'm' jumps to 'end', but declares {ends}: "
                "add it to can_jump_to"
            )


def test_an_unknown_declared_target_is_refused() -> None:
    """When the hook is made."""
    with pytest.raises(JumpError, match=r"^a hook declares a jump to 'start': choose from model, tools, end$"):
        Hook(returns(None), frozenset({"start"}))


@pytest.mark.parametrize("hook", ["before_agent", "before_model"])
def test_a_jump_to_the_end_leaves_out_the_model(hook: str) -> None:
    """And the hooks still to run; what is there is the answer, and after agent sees it."""
    trace: list[str] = []
    model = Answers("4")
    update = {"jump_to": "end", "messages": [QUESTION, Message.assistant("No.")]}
    first = Middleware("m", **{hook: returns(update)})
    events = heard(stacked(model, first, tracing("A", trace)).run([QUESTION]))

    assert events == [MessageEvent("agent", ("agent",), Message.assistant("No."))]
    assert model.requests == []
    assert trace == (["A after agent"] if hook == "before_agent" else ["A before agent", "A after agent"])


def test_a_jump_to_the_end_may_leave_a_question() -> None:
    """Without an answer, no message is reported; a run without any message fails."""
    ends = Middleware("m", before_model=returns({"jump_to": "end"}))
    assert heard(stacked(Answers("4"), ends).run([QUESTION])) == []
    assert failure(heard(stacked(Answers("4"), ends).run([]))) == (
        "NothingReturnedError: the run ended by a jump before it had any message"
    )


def test_a_jump_to_the_end_reports_no_answer_twice() -> None:
    """An answer of the model was reported before, and a message of the caller is not reported."""

    def later(state: HookState, runtime: Runtime) -> dict[str, Any] | None:
        return {"jump_to": "end"} if state.messages[-1].role == "assistant" else None

    back = Middleware("m", before_model=later, after_model=returns({"jump_to": "model"}))
    model = Answers("draft", "never")
    assert said(heard(stacked(model, back).run([QUESTION]))) == ["draft"]
    assert said(heard(stacked(model, back).run([QUESTION, Message.assistant("known")]))) == []
    assert len(model.requests) == 1


def test_a_jump_to_the_tools_makes_the_pending_calls() -> None:
    """Without a model call before, and without the hooks after the model."""
    trace: list[str] = []
    model, tool = Answers("4"), returning("add", "4")

    def once(state: HookState, runtime: Runtime) -> dict[str, Any] | None:
        return {"jump_to": "tools"} if state.messages[-1].tool_calls else None

    built = stacked(model, tracing("A", trace), Middleware("m", before_model=once), tools=[tool])
    heard(built.run([QUESTION, asks("add")]))

    assert len(tool.calls) == 1
    assert [message.role for message in model.given[0]] == ["user", "assistant", "tool"]
    assert trace.count("A before model") == 2
    assert trace.count("A after model") == 1


def test_a_jump_to_the_model_is_what_happens_anyway_before_it() -> None:
    """Only the hooks still to run are left out; a jump from before agent leaves those before the model alone."""
    trace: list[str] = []
    model = Answers("4")
    jumps = returns({"jump_to": "model"})
    heard(stacked(model, Middleware("m", before_agent=jumps, before_model=jumps), tracing("A", trace)).run([QUESTION]))
    heard(stacked(model, Middleware("m", before_agent=jumps), tracing("B", trace)).run([QUESTION]))

    assert len(model.requests) == 2
    around = ["into model", "out of model", "after model", "after agent"]
    assert trace == [*(f"A {what}" for what in around), *(f"B {what}" for what in ["before model", *around])]


def test_a_jump_to_the_model_after_it_leaves_calls_unmade() -> None:
    """The next model call comes at once; hooks still to run are left out (the last one is asked first)."""
    trace: list[str] = []
    model, tool = Answers(asks("add"), "4"), returning("add", "4")

    def again(state: HookState, runtime: Runtime) -> dict[str, Any] | None:
        return {"jump_to": "model"} if state.messages[-1].tool_calls else None

    built = stacked(model, tracing("A", trace), Middleware("m", after_model=again), tools=[tool])
    heard(built.run([QUESTION]))

    assert len(model.requests) == 2
    assert tool.calls == []
    assert trace.count("A before model") == 2
    assert trace.count("A after model") == 1


def test_a_jump_to_the_end_after_the_model_leaves_calls_unmade() -> None:
    """The run ends with the answer that asks for them, and after agent sees it."""
    trace: list[str] = []
    tool = returning("add", "4")
    ends = Middleware("m", after_model=returns({"jump_to": "end"}))
    events = heard(stacked(Answers(asks("add")), tracing("A", trace), ends, tools=[tool]).run([QUESTION]))

    assert [event.message for event in events if isinstance(event, MessageEvent)] == [asks("add")]
    assert len(events) == 1
    assert tool.calls == []
    assert trace[-1] == "A after agent"


def test_a_jump_to_the_tools_after_the_model_goes_on() -> None:
    """With the calls if there are any, else with the model once more."""
    model, tool = Answers(asks("add"), "4", "5"), returning("add", "4")

    def jumps(state: HookState, runtime: Runtime) -> dict[str, Any] | None:
        return {"jump_to": "tools"} if state.messages[-1].text != "5" else None

    events = heard(stacked(model, Middleware("m", after_model=jumps), tools=[tool]).run([QUESTION]))

    assert len(tool.calls) == 1
    assert said(events) == ["", "4", "4", "5"]


@pytest.mark.parametrize(
    ("hook", "target"), [("before_model", "tools"), ("after_model", "model"), ("after_model", "tools")]
)
def test_a_jump_for_ever_comes_to_the_limit(hook: str, target: str) -> None:
    """Each pass counts, the model called or not."""
    middleware = Middleware("m", **{hook: returns({"jump_to": target})})
    events = heard(stacked(Answers("4"), middleware, max_iterations=3).run([QUESTION]))

    assert failure(events) == "IterationLimitError: 'agent' has called its model 3 times without an end"


def test_a_handler_can_jump_too() -> None:
    """The loop knows nothing of middlewares; of two jumps the one to the end wins, and a target has to be one."""

    class Ending(Handler[Message]):
        async def before_agent(self, context: AgentContext) -> AgentContext:
            with pytest.raises(ValueError, match=r"^a run cannot jump to 'start': choose one of model, tools, end$"):
                jump_to("start")  # type: ignore[arg-type]  # that is the point
            jump_to("end")
            jump_to("model")
            return context

    model = Answers("4")
    assert heard(agent(model, handlers=[Ending()]).run([QUESTION])) == []
    assert model.requests == []
