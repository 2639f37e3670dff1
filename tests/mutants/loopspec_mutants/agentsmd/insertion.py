"""Mutants about where the instructions stand."""

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
    """Insert in a way of one's own: told the conversation, the place in it, and the instructions."""
    before_model = AgentsMD.before_model

    async def wrongly(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        right = await before_model(self, state, context)
        if right is state:
            return state
        at = next(at for at, message in enumerate(right.messages) if MARKER in message.extra)
        return replace(right, messages=insert(state.messages, at, right.messages[at]))

    return patch.object(AgentsMD, "before_model", wrongly)


def _stands(place: Callable[[_Messages, int], int]) -> AbstractContextManager[object]:
    """Insert at a place of one's own: told the conversation and the right place."""

    def insert(messages: _Messages, at: int, instructions: AnyMessage) -> _Messages:
        place_ = place(messages, at)
        return (*messages[:place_], instructions, *messages[place_:])

    return _inserts(insert)


def _users(messages: _Messages) -> list[int]:
    """The places of the user messages."""
    return [at for at, message in enumerate(messages) if message.role == "user"]


@mutant("AMD-INJECT-01")
def stands_behind_the_system_prompt() -> AbstractContextManager[object]:
    """Puts the instructions behind a system message, whatever comes between that and the user."""
    return _stands(lambda messages, at: 1 if _users(messages) and messages[0].role == "system" else at)


@mutant("AMD-INJECT-02", neighbors={"AMD-INJECT-14": "its table shows the role of the instructions"})
def speaks_as_the_assistant() -> AbstractContextManager[object]:
    """Gives the instructions the assistant's role."""

    def insert(messages: _Messages, at: int, instructions: AnyMessage) -> _Messages:
        assert isinstance(instructions, msgspec.Struct)
        return (*messages[:at], replace(instructions, role="assistant"), *messages[at:])

    return _inserts(insert)


@mutant("AMD-INJECT-03")
def stands_behind_the_system_prompt_for_want_of_a_user() -> AbstractContextManager[object]:
    """Puts the instructions behind a system message when no user has spoken, and before what follows."""
    return _stands(lambda messages, at: 1 if messages and messages[0].role == "system" and not _users(messages) else at)


@mutant("AMD-INJECT-03")
def needs_a_message() -> AbstractContextManager[object]:
    """Fails on a conversation without a message: it looks at the first one."""
    return _stands(lambda messages, at: at if messages[0] else 0)


@mutant("AMD-INJECT-03", neighbors={"AMD-INJECT-08": "its second scenario has no user message, either"})
def stands_first_for_want_of_a_user() -> AbstractContextManager[object]:
    """Puts the instructions first when no user has spoken: `next(users, 0)`."""
    return _stands(lambda messages, at: at if _users(messages) else 0)


@mutant("AMD-INJECT-04")
def looks_at_the_last_four_messages() -> AbstractContextManager[object]:
    """Looks for a user message among the last four messages only."""
    return _stands(lambda messages, at: next((user for user in _users(messages) if user >= len(messages) - 4), at))


@mutant(
    "AMD-INJECT-04",
    neighbors={
        "AMD-INJECT-08": "its first conversation has two user messages",
        "AMD-INJECT-14": "its conversation has a history with a user message in it",
    },
)
def stands_before_the_newest_question() -> AbstractContextManager[object]:
    """Puts the instructions before the last user message."""
    return _stands(lambda messages, at: max(_users(messages), default=at))


@mutant(
    "AMD-INJECT-05",
    neighbors={
        "AMD-INJECT-08": "it asks for the mark among agentic messages",
        "AMD-IDEMP-06": "it counts the marks after an interrupt",
        "AMD-IDEMP-13": "it counts the marks",
    },
)
def marks_under_a_key_of_its_own() -> AbstractContextManager[object]:
    """Heeds the mark, and its own, but marks its message under "agentsmd_content"."""
    before_model = AgentsMD.before_model

    async def marks(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        if any("agentsmd_content" in message.extra for message in state.messages):
            return state
        right = await before_model(self, state, context)
        return state if right is state else replace(right, messages=tuple(map(renamed, right.messages)))

    def renamed(message: AnyMessage) -> AnyMessage:
        if MARKER not in message.extra:
            return message
        assert isinstance(message, msgspec.Struct)
        return replace(message, extra={"agentsmd_content": True})

    return patch.object(AgentsMD, "before_model", marks)


@mutant("AMD-INJECT-06")
def copies_roles_and_texts() -> AbstractContextManager[object]:
    """Copies the conversation into a new one, and forgets the tool calls."""

    def copy(message: AnyMessage) -> AnyMessage:
        return replace(message, tool_calls=()) if isinstance(message, Message) else message

    return _inserts(
        lambda messages, at, instructions: (*map(copy, messages[:at]), instructions, *map(copy, messages[at:]))
    )


@mutant("AMD-INJECT-08")
def stands_first_among_agentic_messages() -> AbstractContextManager[object]:
    """Puts the instructions before all agentic messages."""
    return _stands(lambda messages, at: 0 if messages and isinstance(messages[0], AgenticMessage) else at)


@mutant(
    "AMD-INJECT-10",
    neighbors={
        "AMD-ERROR-14": "there is nothing to insert when all files are missing",
    },
)
def inserts_nothing_as_a_message() -> AbstractContextManager[object]:
    """Inserts a message without a word when there is nothing to insert."""
    before_model = AgentsMD.before_model

    async def inserts(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        right = await before_model(self, state, context)
        if right is state and not any(MARKER in message.extra for message in state.messages):
            return replace(state, messages=(*state.messages, self._message_type.user("", {MARKER: True})))
        return right

    return patch.object(AgentsMD, "before_model", inserts)


@mutant("AMD-INJECT-11")
def forgets_the_tools() -> AbstractContextManager[object]:
    """Returns a state of messages alone, without the tools."""
    before_model = AgentsMD.before_model

    async def forgets(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        return State((await before_model(self, state, context)).messages)

    return patch.object(AgentsMD, "before_model", forgets)


_NEXT = "\n<next message>\n"


@mutant(
    "AMD-INJECT-12",
    neighbors={
        "AMD-FORMAT-04": "two files are configured, so no one text has all sections",
        "AMD-FORMAT-06": "two files are configured, so no one text has all parts",
        "AMD-BUDGET-19": "two files are configured, so no one text shows both",
    },
)
@contextmanager
def sends_a_message_for_each_configured_file() -> Iterator[None]:
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
        "AMD-IDEMP-02": "the before-agent hook does not look for the mark",
        "AMD-CACHE-10": "the before-agent hook does not look for the mark",
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
def reminds_with_every_tool_result() -> AbstractContextManager[object]:
    """Adds a reminder of the instructions to what tools return."""

    def wraps(self: AgentsMD[AnyMessage], endpoint: ToolEndpoint, context: ToolContext) -> ToolEndpoint:
        async def reminds(request: ToolRequest[str]) -> str:
            return await endpoint(request) + "\n\n(Remember the instructions.)"

        return reminds

    return patch.object(AgentsMD, "wrap_tool", wraps)


@mutant(
    "AMD-INJECT-13",
    neighbors={
        "AMD-IDEMP-10": "inserted anew for each call, the instructions stand before whatever is first by then",
        "AMD-IDEMP-12": "nothing of what is put into a call is in the run's state",
        "AMD-ORDER-07": "a handler behind it cannot summarise away what is inserted after its turn",
        "AMD-ORDER-10": "a handler that counts the state's messages does not count them",
        "AMD-CACHE-12": "a handler behind it cannot remove what is inserted after its turn",
    },
)
def inserts_into_the_call() -> AbstractContextManager[object]:
    """Inserts the instructions into what one model call sends, and leaves the state as it is."""
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
def stands_before_the_system_prompt() -> AbstractContextManager[object]:
    """Puts the instructions before a system message that stands directly before the user's."""
    return _stands(lambda messages, at: at - 1 if at and messages[at - 1].role == "system" and _users(messages) else at)
