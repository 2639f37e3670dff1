"""What middlewares return or pass on wrongly ends the run with an error that names the part and the remedy."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from syrupy.assertion import SnapshotAssertion

from loopspec_reference import (
    AgentContext,
    AgenticMessage,
    AgentTool,
    Handler,
    ImagePart,
    Message,
    OutsideRunError,
    State,
    ToolCall,
    ToolContext,
    ToolInfo,
    ToolRequest,
)
from loopspec_reference.handlers.handler import overridden
from loopspec_reference.plugins import (
    Command,
    Execution,
    Hook,
    HookState,
    Middleware,
    Runtime,
    Stack,
    SummarizationStrategy,
    TodoListStrategy,
    ToolOutcome,
    estimated_tokens,
)
from loopspec_reference.runs.run import jump_to

from ..doubles import QUESTION, Answers, agent, asks, drain, returning, texts_of
from .stacks import Notes, failure, made_for, returns, stacked, tracing

WRONG: Any = 3  # a value of a wrong type
PICTURE = ToolOutcome(parts=(ImagePart("u"),))


class Count(msgspec.Struct):
    """A state or a context."""

    count: int = 0
    names: list[str] = []


class Needs(msgspec.Struct):
    """A context with a required field."""

    user: str
    tags: list[str] = []


class Commanding:
    """A tool that returns an answer."""

    def __init__(self, answer: Any) -> None:
        self.info = ToolInfo("add")
        self.answer = answer

    async def invoke(self, context: ToolContext, request: ToolRequest[str]) -> str | Command:
        """Return the answer."""
        answer: str | Command = self.answer
        return answer


WRONG_VALUES: list[tuple[str, Any]] = [
    ("before_agent", returns(3)),
    ("before_model", returns({"messages": "Hi"})),
    ("before_model", returns({"messages": ["Hi"]})),
    ("after_model", returns({"tools": [3]})),
    ("before_agent", returns({"count": "x"})),
    ("before_agent", returns({"names": [object]})),
    ("after_agent", returns({"messages": []})),
    ("before_model", returns({"jump_to": "start"})),
    ("after_agent", returns({"jump_to": "model"})),
    ("after_model", Hook(returns({"jump_to": "end"}), frozenset({"model"}))),
    ("after_model", Hook(returns({"jump_to": "end"}), frozenset())),
    ("wrap_model_call", lambda r, h: None),
    ("wrap_model_call", lambda r, h: h("x")),
    ("wrap_model_call", lambda r, h: h(replace(r, messages=("x",)))),
    ("wrap_tool_call", lambda r, h: "4"),
    ("wrap_tool_call", lambda r, h: h("x")),
    ("wrap_tool_call", lambda r, h: h(replace(r, call=ToolCall("2", "add")))),
    ("wrap_tool_call", lambda r, h: Command(goto="start")),
    ("wrap_tool_call", lambda r, h: Command(result=WRONG)),
    ("wrap_tool_call", lambda r, h: Command(update=WRONG)),
    ("wrap_tool_call", lambda r, h: Command({"count": "x"})),
    ("wrap_tool_call", lambda r, h: PICTURE),
]


def test_a_wrong_value_of_a_hook_or_a_wrapper_is_named(snapshot: SnapshotAssertion) -> None:
    """The session is not changed."""
    session: dict[str, Any] = {}

    def failed(part: str, value: Any) -> str:
        middleware = Middleware("m", state_schema=Count, **{part: value})
        model = Answers(asks("add") if part == "wrap_tool_call" else "4")
        return failure(drain(stacked(model, middleware, tools=[returning("add", "4")]).run([QUESTION], session)))

    assert [failed(part, value) for part, value in WRONG_VALUES] == snapshot
    assert session == {}


def test_a_wrong_value_of_a_tool_is_named(snapshot: SnapshotAssertion) -> None:
    """The tool is one of a middleware."""
    other = Middleware("n", state_schema=Count)
    answers = [3, Command(goto="start"), Command(result=PICTURE), Command({"count": 3}, owner="n")]
    built = (stacked(Answers(asks("add")), Middleware("m", tools=[Commanding(one)]), other) for one in answers)

    assert [failure(drain(one.run([QUESTION]))) for one in built] == snapshot


def test_a_stored_state_that_does_not_fit_is_an_error(snapshot: SnapshotAssertion) -> None:
    """The error names the value to remove."""
    built = stacked(Answers("4", "4"), Middleware("m", state_schema=Count, before_model=returns(None)))
    stored: list[Any] = [{"agent": {"m": {"count": "x"}}}, 3]

    assert [failure(drain(built.run([QUESTION], {"plugins": one}))) for one in stored] == snapshot


@pytest.mark.parametrize(
    ("context", "reason"),
    [
        (None, "Object missing required field `user`"),
        ({"user": "Ann", "tags": {object}}, "Encoding objects of type type is unsupported"),
    ],
)
def test_a_context_that_does_not_fit_ends_the_run_before_any_hook(context: Any, reason: str) -> None:
    """The error is the same for the last middleware."""
    trace: list[str] = []
    built = stacked(Answers("4"), tracing("A", trace), Middleware("m", context_schema=Needs))

    assert failure(drain(built.run([QUESTION], context=context))) == (
        "ContextError: the context of this run of 'agent' does not fit Needs, which the middleware 'm' reads: "
        f"{reason}; pass it in the `context` of the run"
    )
    assert trace == []


def test_hooks_work_only_within_a_run() -> None:
    """The error is raised when another agent calls the hooks."""
    stack = Stack[Message]([Middleware("m", before_model=returns(None))])

    with pytest.raises(OutsideRunError, match=r"^middlewares have a state and a context only while an agent runs$"):
        asyncio.run(stack.before_model(State(()), None))  # type: ignore[arg-type]  # it is not looked at


def test_two_middlewares_with_one_name_are_rejected_in_any_stack() -> None:
    """The two middlewares would share a state; in two stacks, the error is found when the hooks are called."""
    stacks = [Stack[Message]([Middleware("m", before_model=returns(None))]) for _ in range(2)]

    assert failure(drain(agent(Answers("4"), handlers=stacks).run([QUESTION]))) == (
        "StrategyError: two middlewares of 'agent' have the name 'm': rename one"
    )


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


def test_missing_hooks_are_not_called() -> None:
    """A stack takes part only in the hooks that one of its middlewares has; a context is checked in all of them."""
    names = ["before_agent", "before_model", "after_model", "after_agent", "wrap_model", "wrap_tool"]
    names += ["wrap_streaming_tool", "wrap_enhanced_tool", "wrap_enhanced_streaming_tool"]
    empty: Stack[Message] = Stack([Middleware("m")])
    full: Stack[Message] = Stack([tracing("m", []), Middleware("n", context_schema=Count)])

    assert [name for name in names if overridden([empty], name)] == []
    assert [name for name in names if overridden([full], name)] == names


def test_an_agent_with_the_name_of_its_sub_agent_has_its_own_state() -> None:
    """States are distinguished by the path of the agent."""

    def counts(state: HookState, runtime: Runtime) -> dict[str, Any]:
        return {"count": state.own.count + 1}

    middleware = Middleware("m", state_schema=Count, before_agent=counts)
    inner = stacked(Answers("inner"), middleware, name="a/~b", description="Helps.")
    call = Message.assistant("", [ToolCall("1", "a/~b", '{"request": "Help."}')])
    outer = stacked(Answers(call, "4"), middleware, name="a/~b", tools=[AgentTool(inner)])
    session: dict[str, Any] = {}
    drain(outer.run([QUESTION], session))

    assert session == {"plugins": {"a~1~0b": {"m": {"count": 1}}, "a~1~0b/a~1~0b": {"m": {"count": 1}}}}


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (LookupError("no model today"), "LookupError: no model today"),
        (" \n", "NothingReturnedError: the model has returned an empty summary"),
    ],
)
def test_a_failed_summarization_is_logged(answer: Any, error: str, caplog: pytest.LogCaptureFixture) -> None:
    """Log and trace have the error, and the run continues with the conversation as it is."""
    notes, own, messages = Notes(), Answers("4"), [Message.user("a"), Message.assistant("b"), Message.user("c")]
    context = made_for(own, notes, models={"bad": Answers(answer)})
    options = {"model": "bad", "trigger": {"messages": 3}, "keep": 1}
    stack: Stack[Message] = Stack([SummarizationStrategy().create_middleware(options, context)])

    assert texts_of(drain(agent(own, handlers=[stack]).run(messages))) == ["4"]
    assert own.given == [tuple(messages)]
    assert notes.executions == [Execution("agent", "node", tuple(messages[:2]), None, error)]
    assert caplog.messages == [f"the conversation of 'agent' stays unchanged: its summarization failed: {error}"]


def test_tokens_are_about_four_characters() -> None:
    """The estimate is rounded up; calls and results count in both types of messages."""
    call = ToolCall("1", "add", "[2,2]")

    assert estimated_tokens([]) == 0
    assert estimated_tokens([Message.user("12345")]) == 2
    for kind in (Message, AgenticMessage):
        assert estimated_tokens([kind.assistant("", [call])]) == 3
        assert estimated_tokens([kind.tool_result(call, "12345678")]) == 2


@pytest.mark.parametrize(
    ("calls", "reason"),
    [
        (["{"], "Input data was truncated"),
        (["\ud800"], "'utf-8' codec can't"),
        (['{"todos": []}'] * 2, "write_todos was called more than once in one answer."),
    ],
)
def test_rejected_calls_of_the_to_do_list_change_nothing(calls: list[str], reason: str) -> None:
    """Each result says that the list is unchanged, and why."""
    stack = Stack[Message]([TodoListStrategy().create_middleware({}, made_for())])
    asked = Message.assistant("", [ToolCall(str(at), "write_todos", text) for at, text in enumerate(calls)])
    session: dict[str, Any] = {}
    texts = texts_of(drain(agent(Answers(asked, "done"), handlers=[stack]).run([QUESTION], session)))

    assert [text.startswith(f"The list is unchanged: {reason}") for text in texts[1:-1]] == [True] * len(calls)
    assert session == {}
