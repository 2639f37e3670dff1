"""Handlers: the order of hooks, and the effect of their results."""

from __future__ import annotations

import asyncio

from msgspec.structs import replace

from loopspec_reference import (
    AgentContext,
    ErrorEvent,
    Handler,
    Message,
    MessageEvent,
    ModelContext,
    ModelEndpoint,
    ModelRequest,
    Output,
    State,
    ToolContext,
    ToolEndpoint,
    ToolRequest,
)

from ..doubles import QUESTION, Answers, Tracer, agent, asks, drain, raising, returning


async def _answer(request: ModelRequest[Message]) -> Output[Message]:
    return Output.of(Message.assistant("4"))


async def _result(request: ToolRequest[str]) -> str:
    return "4"


def test_a_default_handler_changes_nothing() -> None:
    """Every default hook returns the object that it receives."""
    handler = Handler[Message]()
    context, state, model = (
        AgentContext("Be terse.", (returning("add", "4"),)),
        State((QUESTION,)),
        ModelContext[Message](),
    )

    async def hooks() -> tuple[object, ...]:
        await handler.after_agent(state)
        return (
            await handler.before_agent(context),
            await handler.before_model(state, model),
            handler.wrap_model(_answer, model),
            await handler.after_model(state, model),
            handler.wrap_tool(_result, ToolContext("add", "call-1")),
        )

    given = (context, state, _answer, state, _result)
    assert all(after is before for after, before in zip(asyncio.run(hooks()), given, strict=True))


def test_handlers_are_called_and_nested_in_order() -> None:
    """The first handler is called first, and its wrappers are outermost."""
    trace: list[str] = []
    handlers = [Tracer("a", trace), Tracer("b", trace)]
    drain(agent(Answers(asks("add"), "4"), tools=[returning("add", "4")], handlers=handlers).run([QUESTION]))

    model = ["into model", "b into model", "b out of model", "a out of model"]
    call = ["a before model", "b before model", f"a {model[0]}", *model[1:], "a after model", "b after model"]
    tool = ["a into add", "b into add", "b out of add", "a out of add"]
    assert trace == ["a before agent", "b before agent", *call, *tool, *call, "a after agent", "b after agent"]


def test_after_an_error_of_the_model_no_later_hook_is_called() -> None:
    """Neither the after-model hook nor the after-agent hook is called."""
    trace: list[str] = []

    class Breaking(Handler[Message]):
        def wrap_model(
            self, endpoint: ModelEndpoint[Message], context: ModelContext[Message]
        ) -> ModelEndpoint[Message]:
            raise RuntimeError("broken")

    drain(agent(Answers("4"), handlers=[Tracer("a", trace), Breaking()]).run([QUESTION]))

    assert trace == ["a before agent", "a before model", "a into model"]


def test_an_error_before_the_model_skips_the_model() -> None:
    """The run fails with the error unchanged."""
    error, trace, model = RuntimeError("broken"), list[str](), Answers("4")

    class Breaking(Handler[Message]):
        async def before_model(self, state: State[Message], context: ModelContext[Message]) -> State[Message]:
            raise error

    events = drain(agent(model, handlers=[Breaking(), Tracer("b", trace)]).run([QUESTION]))

    assert (events, trace, model.given) == ([ErrorEvent("agent", ("agent",), error)], ["b before agent"], [])


def test_after_a_failed_tool_no_hook_after_the_agent_is_called() -> None:
    """A failed run has no final answer."""
    trace: list[str] = []
    tools = [raising("break", RuntimeError("broken"))]
    drain(agent(Answers(asks("break")), tools=tools, handlers=[Tracer("a", trace)]).run([QUESTION]))

    assert trace[-1] == "a into break"


def test_the_start_of_a_run_can_be_changed() -> None:
    """Instruction and tools are those of the last handler; the instruction is rendered afterward."""
    model = Answers("4")

    class Changing(Handler[Message]):
        async def before_agent(self, context: AgentContext) -> AgentContext:
            return AgentContext(context.instruction + " You work for {user}.", context.tools[:1])

    tools = [returning("add", ""), returning("search", "")]
    changed = agent(model, instruction="Be terse.", tools=tools, handlers=[Changing()])
    drain(changed.run([], {"user": "Ada"}))

    assert model.given == [(Message.system("Be terse. You work for Ada."),)]
    assert model.offered == [("add",)]


def test_a_change_before_a_model_call_is_kept() -> None:
    """Later model calls receive the changed messages and tools."""
    model = Answers(asks("add"), "4")

    class Once(Handler[Message]):
        async def before_model(self, state: State[Message], context: ModelContext[Message]) -> State[Message]:
            if len(state.messages) > 1:
                return state
            return State((Message.user("First of all"), *state.messages), ())

    drain(agent(model, tools=[returning("add", "4")], handlers=[Once()]).run([QUESTION]))

    assert [given[0].text for given in model.given] == ["First of all"] * 2
    assert model.offered == [(), ()]


def test_a_request_changed_by_a_wrapper_is_for_one_call() -> None:
    """The next call receives the unchanged conversation with the wrapper's answer."""
    model = Answers(asks("add"), "4")

    class Whispering(Handler[Message]):
        def wrap_model(
            self, endpoint: ModelEndpoint[Message], context: ModelContext[Message]
        ) -> ModelEndpoint[Message]:
            async def around(request: ModelRequest[Message]) -> Output[Message]:
                return await endpoint(replace(request, messages=[*request.messages, Message.user("psst")]))

            return around

    drain(agent(model, tools=[returning("add", "4")], handlers=[Whispering()]).run([QUESTION]))

    assert [[message.text for message in given] for given in model.given] == [
        [QUESTION.text, "psst"],
        [QUESTION.text, "", "4", "psst"],
    ]


def test_wrappers_may_short_circuit() -> None:
    """Inner endpoints are not called, and the wrapper's answer enters the conversation."""
    model, tool = Answers("never"), returning("add", "never")

    class Answering(Handler[Message]):
        def wrap_model(
            self, endpoint: ModelEndpoint[Message], context: ModelContext[Message]
        ) -> ModelEndpoint[Message]:
            async def around(request: ModelRequest[Message]) -> Output[Message]:
                first = len(request.messages) == 1
                return Output.of(asks("add") if first else Message.assistant(request.messages[-1].text))

            return around

        def wrap_tool(self, endpoint: ToolEndpoint, context: ToolContext) -> ToolEndpoint:
            async def around(request: ToolRequest[str]) -> str:
                return "from outside"

            return around

    events = drain(agent(model, tools=[tool], handlers=[Answering()]).run([QUESTION]))

    assert (model.given, tool.calls) == ([], [])
    assert events[-1] == MessageEvent("agent", ("agent",), Message.assistant("from outside"))


def test_the_state_after_a_model_call_decides_how_the_run_continues() -> None:
    """An answer without calls is the final answer."""
    model, tool = Answers(asks("add")), returning("add", "4")

    class Ending(Handler[Message]):
        async def after_model(self, state: State[Message], context: ModelContext[Message]) -> State[Message]:
            return State((*state.messages[:-1], Message.assistant("Enough.")), state.tools)

    events = drain(agent(model, tools=[tool], handlers=[Ending()]).run([QUESTION]))

    assert (len(model.given), tool.calls) == (1, [])
    assert events == [MessageEvent("agent", ("agent",), asks("add"))]  # the answer of the model
