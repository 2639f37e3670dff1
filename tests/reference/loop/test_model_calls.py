"""One model call, from its before-model hooks to its after-model hooks."""

from __future__ import annotations

from contextvars import ContextVar

import pytest
from msgspec.structs import replace

from loopspec_reference import (
    AgentContext,
    AnyTool,
    Handler,
    Message,
    ModelContext,
    ModelEndpoint,
    ModelRequest,
    Output,
    RetryConfig,
    State,
    ToolContext,
    ToolInfo,
    send_event,
)

from ..doubles import QUESTION, Answers, Function, agent, asks, drain, reported, returning

VARIABLE: ContextVar[str] = ContextVar("VARIABLE", default="")


class Setting(Handler[Message]):
    """Sets the context value before the model and in a wrapper, and records it everywhere."""

    def __init__(self, seen: list[str]) -> None:
        self._seen = seen

    def look(self, where: str) -> None:
        """Record the context value."""
        self._seen.append(f"{where} {VARIABLE.get()}")

    async def before_agent(self, context: AgentContext) -> AgentContext:
        """Set the context value."""
        VARIABLE.set("run")
        return context

    async def before_model(self, state: State[Message], context: ModelContext[Message]) -> State[Message]:
        """Record the value, then set it."""
        self.look("before")
        VARIABLE.set("call")
        return state

    def wrap_model(self, endpoint: ModelEndpoint[Message], context: ModelContext[Message]) -> ModelEndpoint[Message]:
        """Record the value, set it, and call the endpoint."""

        async def around(request: ModelRequest[Message]) -> Output[Message]:
            self.look("wrapper")
            VARIABLE.set("inner")
            return await endpoint(request)

        return around

    async def after_model(self, state: State[Message], context: ModelContext[Message]) -> State[Message]:
        """Record the value."""
        self.look("after")
        return state

    async def after_agent(self, state: State[Message]) -> None:
        """Record the value."""
        self.look("end")


@pytest.mark.parametrize("streaming", [False, True])
def test_a_context_value_reaches_only_the_wrapped_part(streaming: bool) -> None:
    """A value of the run reaches everything, a value of the call the call, a wrapper's value the wrapped part."""
    seen: list[str] = []
    setting = Setting(seen)

    class Looking(Answers):
        def _next(self, request: ModelRequest[Message]) -> Message:
            setting.look("model")
            return super()._next(request)

    async def look(context: ToolContext, arguments: str) -> str:
        setting.look("tool")
        return "looked"

    built = agent(Looking(asks("look"), "4"), tools=[Function("look", look)], handlers=[setting])
    reported(built.run([QUESTION], streaming=streaming))

    call = ["before run", "wrapper call", "model inner", "after call"]
    assert seen == [*call, "tool run", *call, "end run"]


def test_a_hook_that_leaves_no_message_ends_the_run() -> None:
    """The error follows the event of the answer."""

    class After(Handler[Message]):
        async def after_model(self, state: State[Message], context: ModelContext[Message]) -> State[Message]:
            return replace(state, messages=())

    assert reported(agent(Answers("4"), handlers=[After()]).run([QUESTION])) == ["4", "NothingReturnedError"]


def test_every_hook_receives_the_context_of_the_call() -> None:
    """The model context has the current tools and the retry configuration."""
    seen: list[ModelContext[Message]] = []
    retry = RetryConfig[Message]()

    class Filtering(Handler[Message]):
        async def before_model(self, state: State[Message], context: ModelContext[Message]) -> State[Message]:
            seen.append(context)
            deferred = (ToolInfo("later"),)
            return replace(state, tools=state.tools[:1], deferred_tools=deferred)

        def wrap_model(
            self, endpoint: ModelEndpoint[Message], context: ModelContext[Message]
        ) -> ModelEndpoint[Message]:
            seen.append(context)
            return endpoint

    model, tools = Answers(asks("b"), "4"), [returning("a", ""), returning("b", "")]
    drain(agent(model, tools=tools, handlers=[Filtering()], retry=retry).run([QUESTION]))

    assert [[tool.name for tool in context.tools] for context in seen] == [["a", "b"], ["a"], ["a"], ["a"]]
    assert all(context.retry is retry for context in seen)
    assert [request.deferred_tools for request in model.requests] == [(ToolInfo("later"),)] * 2
    assert len(tools[1].calls) == 1  # the tool is called whether it is offered or not


def test_a_run_starts_with_the_result_of_the_handlers() -> None:
    """Tools, return-directly tools, and the tool search are those of the last handler."""
    added, search = returning("added", "4"), ToolInfo("search")

    class Changing(Handler[Message]):
        async def before_agent(self, context: AgentContext) -> AgentContext:
            tools: tuple[AnyTool, ...] = (added,)
            return replace(context, tools=tools, return_directly=frozenset({"added"}), tool_search=search)

    model = Answers(asks("added"), "never")
    events = reported(agent(model, tools=[returning("a", "")], handlers=[Changing()]).run([QUESTION]))

    assert (events, model.offered, model.requests[0].tool_search) == (["", "4"], [("added",)], search)


def test_events_surround_the_answer() -> None:
    """A wrapper's events precede the answer, and events of after-model hooks follow it."""

    class Sending(Handler[Message]):
        async def before_agent(self, context: AgentContext) -> AgentContext:
            send_event("start")
            return context

        def wrap_model(
            self, endpoint: ModelEndpoint[Message], context: ModelContext[Message]
        ) -> ModelEndpoint[Message]:
            async def around(request: ModelRequest[Message]) -> Output[Message]:
                output = await endpoint(request)
                send_event("wrapper")
                return output

            return around

        async def after_model(self, state: State[Message], context: ModelContext[Message]) -> State[Message]:
            send_event("after")
            return state

        async def after_agent(self, state: State[Message]) -> None:
            send_event("end")

    assert reported(agent(Answers("4"), handlers=[Sending()]).run([QUESTION])) == [
        "start",
        "wrapper",
        "4",
        "after",
        "end",
    ]
