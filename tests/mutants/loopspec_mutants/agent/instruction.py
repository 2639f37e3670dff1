"""Mutants about the instruction, and about handlers that do little."""

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
    """Begin each run with a conversation made of the right one."""
    loop = Agent._loop

    async def loops(
        self: Agent[AnyMessage], run: Run, start: _Start, state: State[AnyMessage], iteration: int
    ) -> AnyMessage:
        if iteration == 0:
            state = State(tuple(change(self, run, start, state.messages)), state.tools, state.deferred_tools)
        return await loop(self, run, start, state, iteration)

    return patch.object(Agent, "_loop", loops)


def _renders(lie: Callable[[str, Mapping[str, Json]], str]) -> AbstractContextManager[object]:
    """Render instructions in another way."""
    return patch.object(agents, "render", lie)


@mutant("INSTR-01")
def joins_system_messages() -> AbstractContextManager[object]:
    """Writes the instruction and a system message that the caller begins with into one."""

    def joined(agent: Agent[AnyMessage], run: Run, start: _Start, messages: Messages) -> Messages:
        first = messages[:2]
        if len(first) < 2 or any(message.role != "system" for message in first):
            return messages
        return [agent.message_type.system("\n".join(message.text for message in first)), *messages[2:]]

    return _begins_with(joined)


@mutant("INSTR-02")
def wants_somebody_to_speak_first() -> AbstractContextManager[object]:
    """Puts an empty system message before a conversation that would begin with the assistant."""

    def opened(agent: Agent[AnyMessage], run: Run, start: _Start, messages: Messages) -> Messages:
        if not messages or messages[0].role != "assistant":
            return messages
        return [agent.message_type.system(""), *messages]

    return _begins_with(opened)


@mutant("INSTR-03")
def knows_only_texts() -> AbstractContextManager[object]:
    """Leaves a session value out of the instruction when it is not a text."""
    return _renders(
        lambda text, session: render(
            text, {key: value if isinstance(value, str) else "" for key, value in session.items()}
        )
    )


@mutant("INSTR-04")
def renders_only_with_values() -> AbstractContextManager[object]:
    """Leaves an instruction as it is, doubled braces and all, when the session is empty."""
    return _renders(lambda text, session: render(text, session) if session else text)


class _Forgiving(dict[str, Json]):
    """A session in which there is something under every key."""

    def __contains__(self, key: object) -> bool:
        return True

    def __missing__(self, key: str) -> Json:
        return f"{{{key}}}"


@mutant("INSTR-05")
def forgives_missing_keys() -> AbstractContextManager[object]:
    """Leaves a key in the instruction when the session does not have it."""
    return _renders(lambda text, session: render(text, _Forgiving(session)))


@mutant("INSTR-06")
def renders_what_it_has_not_made() -> AbstractContextManager[object]:
    """Renders the system messages that a custom input generation has made."""

    def rendered(agent: Agent[AnyMessage], run: Run, start: _Start, messages: Messages) -> Iterable[AnyMessage]:
        for message in messages:
            own = agent._make_input is not None and message.role == "system"
            yield agent.message_type.system(render(message.text, run.session)) if own else message

    return _begins_with(rendered)


@mutant("INSTR-07")
def keeps_braces_doubled() -> AbstractContextManager[object]:
    """Puts the values in and leaves doubled braces doubled."""

    def doubled(text: str, session: Mapping[str, Json]) -> str:
        if not session:
            return render(text, session)
        return render(text.replace("{{", "{{{{").replace("}}", "}}}}"), session)

    return _renders(doubled)


@mutant("INSTR-08")
def renders_half_of_what_users_write() -> AbstractContextManager[object]:
    """Puts session values into the caller's messages and leaves doubled braces there as they are."""

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
    """Leaves the instruction as it is for agentic messages."""

    def unrendered(agent: Agent[AnyMessage], run: Run, start: _Start, messages: Messages) -> Messages:
        if agent.message_type is not AgenticMessage or "{" not in start.instruction:
            return messages
        return [agent.message_type.system(start.instruction), *messages[1:]]

    return _begins_with(unrendered)


@mutant("BASE-01")
def takes_a_no_op_for_a_mistake() -> AbstractContextManager[object]:
    """Refuses an agent in which a handler overrides nothing."""
    init = Agent.__init__

    def refuses(self: Agent[AnyMessage], **configuration: Any) -> None:  # Any: handed on
        if any(type(handler) is Handler for handler in configuration.get("handlers", ())):
            raise ConfigError("a handler has no hook")
        init(self, **configuration)

    return patch.object(Agent, "__init__", refuses)


@mutant("BASE-02")
def has_left_out_a_no_op() -> AbstractContextManager[object]:
    """Has no default for one of the hooks: each handler must wrap enhanced tools that stream."""

    def missing(
        self: ToolMiddleware, endpoint: EnhancedStreamingToolEndpoint, context: ToolContext
    ) -> EnhancedStreamingToolEndpoint:
        raise NotImplementedError

    return patch.object(ToolMiddleware, "wrap_enhanced_streaming_tool", missing)
