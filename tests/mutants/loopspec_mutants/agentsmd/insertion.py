"""Mutants about the position of the instructions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from unittest.mock import patch

import msgspec
from msgspec.structs import replace

from loopspec_reference import (
    AgentContext,
    AgenticMessage,
    AnyMessage,
    Message,
    ModelContext,
    ModelEndpoint,
    ModelRequest,
    Output,
    State,
    ToolContext,
    ToolEndpoint,
    ToolRequest,
)
from loopspec_reference.agentsmd import MARKER, AgentsMD, render
from loopspec_reference.agentsmd.loader import load
from loopspec_reference.runs.run import current_run

from ..registry import mutant

_Messages = tuple[AnyMessage, ...]


def _inserts(insert: Callable[[_Messages, int, AnyMessage], _Messages]) -> AbstractContextManager[object]:
    """Patch how the instructions are inserted, by the conversation, the right position and the instructions."""
    before_model = AgentsMD.before_model

    async def inserts_differently(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        correct = await before_model(self, state, context)
        if correct is state:
            return state
        at = next(at for at, message in enumerate(correct.messages) if MARKER in message.extra)
        return replace(correct, messages=insert(state.messages, at, correct.messages[at]))

    return patch.object(AgentsMD, "before_model", inserts_differently)


def _placing(place: Callable[[_Messages, int], int]) -> AbstractContextManager[object]:
    """Patch the position of the instructions, by the conversation and the right position."""

    def insert(messages: _Messages, at: int, instructions: AnyMessage) -> _Messages:
        place_ = place(messages, at)
        return (*messages[:place_], instructions, *messages[place_:])

    return _inserts(insert)


def _users(messages: _Messages) -> list[int]:
    """Return the positions of the user messages."""
    return [at for at, message in enumerate(messages) if message.role == "user"]


@mutant("AMD-INJECT-01")
def inserts_directly_after_the_system_prompt() -> AbstractContextManager[object]:
    """Inserts the instructions directly after a system message, not directly before the first user message."""
    return _placing(lambda messages, at: 1 if _users(messages) and messages[0].role == "system" else at)


@mutant("AMD-INJECT-02", neighbors={"AMD-INJECT-14": "the table of the example has the role of the instructions"})
def inserts_an_assistant_message() -> AbstractContextManager[object]:
    """Inserts the instructions as an assistant message."""

    def insert(messages: _Messages, at: int, instructions: AnyMessage) -> _Messages:
        assert isinstance(instructions, msgspec.Struct)
        return (*messages[:at], replace(instructions, role="assistant"), *messages[at:])

    return _inserts(insert)


@mutant("AMD-INJECT-03")
def inserts_after_the_system_prompt_without_a_user() -> AbstractContextManager[object]:
    """Inserts the instructions after a system message if the conversation has no user message."""
    return _placing(
        lambda messages, at: 1 if messages and messages[0].role == "system" and not _users(messages) else at
    )


@mutant("AMD-INJECT-03")
def fails_on_an_empty_conversation() -> AbstractContextManager[object]:
    """Fails on an empty conversation, because it reads the first message."""
    return _placing(lambda messages, at: at if messages[0] else 0)


@mutant("AMD-INJECT-03", neighbors={"AMD-INJECT-08": "the second scenario has no user message either"})
def inserts_first_without_a_user() -> AbstractContextManager[object]:
    """Inserts the instructions first if the conversation has no user message: `next(users, 0)`."""
    return _placing(lambda messages, at: at if _users(messages) else 0)


@mutant("AMD-INJECT-04")
def finds_recent_user_messages_only() -> AbstractContextManager[object]:
    """Looks for a user message in the last four messages only."""
    return _placing(lambda messages, at: next((user for user in _users(messages) if user >= len(messages) - 4), at))


@mutant(
    "AMD-INJECT-04",
    neighbors={
        "AMD-INJECT-08": "the first conversation has two user messages",
        "AMD-INJECT-14": "the conversation has a history with a user message",
    },
)
def inserts_before_the_last_user_message() -> AbstractContextManager[object]:
    """Inserts the instructions before the last user message."""
    return _placing(lambda messages, at: max(_users(messages), default=at))


@mutant(
    "AMD-INJECT-05",
    neighbors={
        "AMD-INJECT-08": "the example checks the marker in agentic messages",
        "AMD-IDEMP-06": "the example counts the markers after an interrupt",
        "AMD-IDEMP-13": "the example counts the markers",
    },
)
def marks_with_another_key() -> AbstractContextManager[object]:
    """Marks its message with the key "agentsmd_content", and detects both markers."""
    before_model = AgentsMD.before_model

    async def marks(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        if any("agentsmd_content" in message.extra for message in state.messages):
            return state
        correct = await before_model(self, state, context)
        return state if correct is state else replace(correct, messages=tuple(map(renamed, correct.messages)))

    def renamed(message: AnyMessage) -> AnyMessage:
        if MARKER not in message.extra:
            return message
        assert isinstance(message, msgspec.Struct)
        return replace(message, extra={"agentsmd_content": True})

    return patch.object(AgentsMD, "before_model", marks)


@mutant("AMD-INJECT-06")
def drops_tool_calls_of_messages() -> AbstractContextManager[object]:
    """Copies the messages of the conversation without their tool calls."""

    def copy(message: AnyMessage) -> AnyMessage:
        return replace(message, tool_calls=()) if isinstance(message, Message) else message

    return _inserts(
        lambda messages, at, instructions: (*map(copy, messages[:at]), instructions, *map(copy, messages[at:]))
    )


@mutant("AMD-INJECT-08")
def inserts_before_all_agentic_messages() -> AbstractContextManager[object]:
    """Inserts the instructions before all agentic messages."""
    return _placing(lambda messages, at: 0 if messages and isinstance(messages[0], AgenticMessage) else at)


@mutant(
    "AMD-INJECT-10",
    neighbors={
        "AMD-ERROR-14": "the instructions are empty when all files are missing",
    },
)
def inserts_an_empty_message() -> AbstractContextManager[object]:
    """Inserts an empty message when no instructions were loaded."""
    before_model = AgentsMD.before_model

    async def inserts(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        correct = await before_model(self, state, context)
        if correct is state and not any(MARKER in message.extra for message in state.messages):
            return replace(state, messages=(*state.messages, self._message_type.user("", {MARKER: True})))
        return correct

    return patch.object(AgentsMD, "before_model", inserts)


@mutant("AMD-INJECT-11")
def drops_the_tools_of_the_state() -> AbstractContextManager[object]:
    """Returns a state with messages only, without the tools."""
    before_model = AgentsMD.before_model

    async def drops(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        return State((await before_model(self, state, context)).messages)

    return patch.object(AgentsMD, "before_model", drops)


_NEXT = "\n<next message>\n"


@mutant(
    "AMD-INJECT-12",
    neighbors={
        "AMD-FORMAT-04": "two files are configured, so that no text has all sections",
        "AMD-FORMAT-06": "two files are configured, so that no text has all parts",
        "AMD-BUDGET-19": "two files are configured, so that no text contains both",
        "AMD-BUDGET-06": "an example configures two files in a run",
    },
)
@contextmanager
def inserts_a_message_for_each_configured_file() -> Iterator[None]:
    """Inserts one message for each configured file and its imports."""

    async def loads(self: AgentsMD[AnyMessage]) -> str:
        config = self._config
        loaded = [await load(config.backend, [path], config.max_bytes, config.on_warning) for path in config.files]
        return _NEXT.join(filter(None, map(render, loaded)))

    def insert(messages: _Messages, at: int, instructions: AnyMessage) -> _Messages:
        texts = instructions.text.split(_NEXT)
        return (*messages[:at], *(type(instructions).user(text, {MARKER: True}) for text in texts), *messages[at:])

    with patch.object(AgentsMD, "_load", loads), _inserts(insert):
        yield


@mutant(
    "AMD-INJECT-15",
    neighbors={
        "AMD-IDEMP-02": "the before-agent hook does not look for the marker",
        "AMD-CACHE-10": "the before-agent hook does not look for the marker",
        "AMD-BACKEND-02": "the value is added to the context of the before-model hook",
    },
)
def loads_before_the_agent() -> AbstractContextManager[object]:
    """Loads the files in the before-agent hook."""

    async def loads(self: AgentsMD[AnyMessage], context: AgentContext) -> AgentContext:
        await self._text()
        return context

    return patch.object(AgentsMD, "before_agent", loads)


@mutant("AMD-INJECT-15")
def appends_a_reminder_to_tool_results() -> AbstractContextManager[object]:
    """Appends a reminder of the instructions to each tool result."""

    def wraps(self: AgentsMD[AnyMessage], endpoint: ToolEndpoint, context: ToolContext) -> ToolEndpoint:
        async def reminds(request: ToolRequest[str]) -> str:
            return await endpoint(request) + "\n\n(Remember the instructions.)"

        return reminds

    return patch.object(AgentsMD, "wrap_tool", wraps)


@mutant(
    "AMD-INJECT-13",
    neighbors={
        "AMD-IDEMP-10": "the instructions of each request precede the user message that is then the first",
        "AMD-IDEMP-12": "the inserted message is not in the state of the run",
        "AMD-ORDER-07": "a later handler cannot summarize the instructions",
        "AMD-ORDER-10": "a handler that counts the messages of the state does not count the instructions",
        "AMD-CACHE-12": "a later handler cannot remove the instructions",
    },
)
def inserts_into_the_request() -> AbstractContextManager[object]:
    """Inserts the instructions into the request of a model call, and does not change the state."""
    before_model = AgentsMD.before_model

    async def waits(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        return state if current_run.get() else await before_model(self, state, context)

    def wraps(
        self: AgentsMD[AnyMessage], endpoint: ModelEndpoint[AnyMessage], context: ModelContext[AnyMessage]
    ) -> ModelEndpoint[AnyMessage]:
        async def inserts(request: ModelRequest[AnyMessage]) -> Output[AnyMessage]:
            state = await before_model(self, State(tuple(request.messages)), context)
            return await endpoint(replace(request, messages=state.messages))

        return inserts

    return patch.multiple(AgentsMD, before_model=waits, wrap_model=wraps)


@mutant("AMD-INJECT-14")
def inserts_before_the_system_prompt() -> AbstractContextManager[object]:
    """Inserts the instructions before a system message that directly precedes the user message."""
    return _placing(
        lambda messages, at: at - 1 if at and messages[at - 1].role == "system" and _users(messages) else at
    )
