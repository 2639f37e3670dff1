"""Legacy middlewares and tool middlewares."""

from __future__ import annotations

from contextvars import ContextVar

import pytest

from loopspec_reference import (
    Agent,
    AgenticMessage,
    ConfigError,
    Handler,
    LegacyMiddleware,
    Message,
    ModelContext,
    MutableState,
    State,
    ToolContext,
    ToolEndpoint,
    ToolMiddleware,
    ToolRequest,
)

from ..doubles import QUESTION, Answers, Tracer, agent, asks, drain, reported, returning, texts_of

VARIABLE: ContextVar[str] = ContextVar("VARIABLE", default="outside")


def recording(trace: list[str], name: str) -> LegacyMiddleware[Message]:
    """A middleware that records its calls."""

    async def before(state: MutableState[Message]) -> None:
        trace.append(f"{name} before model")

    async def after(state: MutableState[Message]) -> None:
        trace.append(f"{name} after model")

    class Tools(ToolMiddleware):
        def wrap_tool(self, endpoint: ToolEndpoint, context: ToolContext) -> ToolEndpoint:
            async def around(request: ToolRequest[str]) -> str:
                trace.append(f"{name} into {context.name}")
                return f"{name}({await endpoint(request)})"

            return around

    return LegacyMiddleware(before_model=before, after_model=after, tools=Tools())


def test_legacy_middlewares_wrap_the_handlers_in_order() -> None:
    """Legacy after-model functions are called in order too."""
    trace: list[str] = []
    built = agent(
        Answers(asks("add"), "4"),
        tools=[returning("add", "four")],
        legacy=[recording(trace, "l"), recording(trace, "m")],
        handlers=[Tracer("a", trace)],
    )
    assert texts_of(drain(built.run([QUESTION]))) == ["", "l(m(four))", "4"]
    model = ["a before model", "a into model", "a out of model", "a after model"]
    call = ["l before model", "m before model", *model, "l after model", "m after model"]

    assert trace == [
        "a before agent",
        *call,
        *["l into add", "m into add", "a into add", "a out of add"],
        *call,
        "a after agent",
    ]


def test_instructions_and_tools_are_added() -> None:
    """Instructions and tools follow those of the agent, in order."""
    model = Answers("4")
    legacy = [
        LegacyMiddleware[Message]("Be kind.", [returning("b", "")]),
        LegacyMiddleware[Message]("Be brief."),
        LegacyMiddleware[Message](),
    ]
    drain(agent(model, instruction="Be terse.", tools=[returning("a", "")], legacy=legacy).run([QUESTION]))

    assert model.given[0][0].text.split("\n") == ["Be terse.", "Be kind.", "Be brief."]
    assert model.offered == [("a", "b")]


def test_changes_of_legacy_middlewares_are_kept() -> None:
    """A changed answer may lose its tool calls."""
    model, tool = Answers(asks("add")), returning("add", "4")

    async def before(state: MutableState[Message]) -> None:
        state.messages.insert(0, Message.user("First of all"))

    async def after(state: MutableState[Message]) -> None:
        state.messages[-1] = Message.assistant("Enough.")

    session: dict[str, object] = {}
    legacy = [LegacyMiddleware(before_model=before, after_model=after)]
    drain(agent(model, tools=[tool], legacy=legacy, output_key="out").run([QUESTION], session))

    assert (model.given[0][0].text, tool.calls, session) == ("First of all", [], {"out": "Enough."})


@pytest.mark.parametrize("hook", ["before_model", "after_model"])
def test_an_error_ends_the_run(hook: str) -> None:
    """The error precedes the handlers, or follows the model's event."""
    trace: list[str] = []

    async def fails(state: MutableState[Message]) -> None:
        raise RuntimeError("broken")

    legacy: list[LegacyMiddleware[Message]] = [LegacyMiddleware(**{hook: fails})]  # type: ignore[arg-type]  # the name of a hook
    events = reported(agent(Answers("4"), legacy=legacy, handlers=[Tracer("a", trace)]).run([QUESTION]))

    assert events == (["RuntimeError"] if hook == "before_model" else ["4", "RuntimeError"])
    assert ("a before model" in trace) is (hook == "after_model")


@pytest.mark.parametrize("hook", ["before_model", "after_model"])
def test_functions_for_another_type_of_message_are_rejected(hook: str) -> None:
    """The error names the function; a middleware without functions supports any type of message."""

    async def only_messages(state: MutableState[AgenticMessage]) -> None:
        raise AssertionError("never")

    class Model(Answers):
        pass

    legacy = LegacyMiddleware[AgenticMessage](message_types=(Message,), **{hook: only_messages})  # type: ignore[arg-type]  # the name of a hook
    with pytest.raises(ConfigError, match=hook):
        Agent(model=Model(), message_type=AgenticMessage, legacy=[legacy])  # type: ignore[misc]  # never called
    plain = LegacyMiddleware[AgenticMessage](message_types=(Message,))
    Agent(model=Model(), message_type=AgenticMessage, legacy=[plain])  # type: ignore[misc]  # never called


def test_legacy_middlewares_cannot_set_context_values() -> None:
    """A value that a legacy function sets is discarded."""
    seen: list[str] = []

    async def before(state: MutableState[Message]) -> None:
        VARIABLE.set("inside")

    class Looking(Handler[Message]):
        async def before_model(self, state: State[Message], context: ModelContext[Message]) -> State[Message]:
            seen.append(VARIABLE.get())
            return state

    drain(agent(Answers("4"), legacy=[LegacyMiddleware(before_model=before)], handlers=[Looking()]).run([QUESTION]))

    assert seen == ["outside"]
