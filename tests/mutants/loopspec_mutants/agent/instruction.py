"""Mutants about the instruction, and about handlers without hooks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from loopspec_reference import (
    Agent,
    AgenticMessage,
    AnyMessage,
    ConfigError,
    EnhancedStreamingToolEndpoint,
    Handler,
    Json,
    State,
    ToolContext,
    ToolMiddleware,
)
from loopspec_reference.loop import agents
from loopspec_reference.loop.agents import _Start
from loopspec_reference.runs.run import Run
from loopspec_reference.values.instructions import render

from ..registry import mutant

Messages = Sequence[AnyMessage]
Change = Callable[[Agent[AnyMessage], Run, _Start, Messages], Iterable[AnyMessage]]


def _begins_with(change: Change) -> AbstractContextManager[object]:
    """Patch the messages that a run begins with."""
    loop = Agent._loop

    async def loops(
        self: Agent[AnyMessage], run: Run, start: _Start, state: State[AnyMessage], iteration: int
    ) -> AnyMessage:
        if iteration == 0:
            state = State(tuple(change(self, run, start, state.messages)), state.tools, state.deferred_tools)
        return await loop(self, run, start, state, iteration)

    return patch.object(Agent, "_loop", loops)


def _renders(renderer: Callable[[str, Mapping[str, Json]], str]) -> AbstractContextManager[object]:
    """Patch how instructions are rendered."""
    return patch.object(agents, "render", renderer)


@mutant("INSTR-01")
def joins_system_messages() -> AbstractContextManager[object]:
    """Joins the instruction with a system message at the start of the input."""

    def joined(agent: Agent[AnyMessage], run: Run, start: _Start, messages: Messages) -> Messages:
        first = messages[:2]
        if len(first) < 2 or any(message.role != "system" for message in first):
            return messages
        return [agent.message_type.system("\n".join(message.text for message in first)), *messages[2:]]

    return _begins_with(joined)


@mutant("INSTR-02")
def inserts_an_empty_system_message() -> AbstractContextManager[object]:
    """Inserts an empty system message before a conversation that begins with an assistant message."""

    def opened(agent: Agent[AnyMessage], run: Run, start: _Start, messages: Messages) -> Messages:
        if not messages or messages[0].role != "assistant":
            return messages
        return [agent.message_type.system(""), *messages]

    return _begins_with(opened)


@mutant("INSTR-03")
def renders_text_values_only() -> AbstractContextManager[object]:
    """Renders nothing for a session value that is not a text."""
    return _renders(
        lambda text, session: render(
            text, {key: value if isinstance(value, str) else "" for key, value in session.items()}
        )
    )


@mutant("INSTR-04")
def renders_only_with_values() -> AbstractContextManager[object]:
    """Does not render an instruction when the session is empty, so that doubled braces stay doubled."""
    return _renders(lambda text, session: render(text, session) if session else text)


class _Forgiving(dict[str, Json]):
    """A session that has a value for every key."""

    def __contains__(self, key: object) -> bool:
        return True

    def __missing__(self, key: str) -> Json:
        return f"{{{key}}}"


@mutant("INSTR-05")
def keeps_placeholders_without_a_value() -> AbstractContextManager[object]:
    """Keeps a placeholder in the instruction when the session has no value for it."""
    return _renders(lambda text, session: render(text, _Forgiving(session)))


@mutant("INSTR-06")
def renders_custom_input() -> AbstractContextManager[object]:
    """Renders the system messages of a custom input function."""

    def rendered(agent: Agent[AnyMessage], run: Run, start: _Start, messages: Messages) -> Iterable[AnyMessage]:
        for message in messages:
            own = agent._make_input is not None and message.role == "system"
            yield agent.message_type.system(render(message.text, run.session)) if own else message

    return _begins_with(rendered)


@mutant("INSTR-07")
def keeps_braces_doubled() -> AbstractContextManager[object]:
    """Renders the placeholders but keeps doubled braces doubled."""

    def doubled(text: str, session: Mapping[str, Json]) -> str:
        if not session:
            return render(text, session)
        return render(text.replace("{{", "{{{{").replace("}}", "}}}}"), session)

    return _renders(doubled)


@mutant("INSTR-08")
def renders_the_callers_messages() -> AbstractContextManager[object]:
    """Renders session values into the caller's messages."""

    def rendered(agent: Agent[AnyMessage], run: Run, start: _Start, messages: Messages) -> Iterable[AnyMessage]:
        for message in messages:
            text = message.text
            for key, value in run.session.items():
                text = text.replace(f"{{{key}}}", str(value))
            changed = message.role == "user" and text != message.text
            yield agent.message_type.user(text) if changed else message

    return _begins_with(rendered)


@mutant("INSTR-10")
def renders_for_plain_messages_only() -> AbstractContextManager[object]:
    """Does not render the instruction if the messages are agentic."""

    def unrendered(agent: Agent[AnyMessage], run: Run, start: _Start, messages: Messages) -> Messages:
        if agent.message_type is not AgenticMessage or "{" not in start.instruction:
            return messages
        return [agent.message_type.system(start.instruction), *messages[1:]]

    return _begins_with(unrendered)


@mutant("BASE-01")
def rejects_a_handler_without_hooks() -> AbstractContextManager[object]:
    """Rejects an agent with a handler that overrides no hook."""
    init = Agent.__init__

    def refuses(self: Agent[AnyMessage], **configuration: Any) -> None:  # Any: passed on
        if any(type(handler) is Handler for handler in configuration.get("handlers", ())):
            raise ConfigError("a handler has no hook")
        init(self, **configuration)

    return patch.object(Agent, "__init__", refuses)


@mutant("BASE-02")
def lacks_a_default_for_one_hook() -> AbstractContextManager[object]:
    """Provides no default for the wrapper of enhanced streamable tools, so that each handler has to define it."""

    def missing(
        self: ToolMiddleware, endpoint: EnhancedStreamingToolEndpoint, context: ToolContext
    ) -> EnhancedStreamingToolEndpoint:
        raise NotImplementedError

    return patch.object(ToolMiddleware, "wrap_enhanced_streaming_tool", missing)
