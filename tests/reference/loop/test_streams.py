"""What a caller receives of a streamed call: its callbacks, and the mark on its event."""

from __future__ import annotations

from collections.abc import AsyncIterator

from loopspec_reference import (
    Agent,
    Message,
    ModelRequest,
    StreamEvent,
    ToolArgument,
    ToolContext,
    ToolInfo,
    ToolRequest,
    ToolResult,
)

from ..doubles import QUESTION, Answers, asks, drain


class Slowly:
    """A tool that returns its result in three chunks."""

    info = ToolInfo("spell")

    async def stream(self, context: ToolContext, request: ToolRequest[str]) -> AsyncIterator[str]:
        """Yield the letters."""
        for letter in "abc":
            yield letter


class Log:
    """Callbacks that record what has ended."""

    def __init__(self) -> None:
        self.ended: list[str] = []

    def model_start(self, request: ModelRequest[Message]) -> None:
        """Record nothing."""

    def model_end(self, message: Message) -> None:
        """Record the answer."""
        self.ended.append(message.text)

    def tool_start(self, context: ToolContext, request: ToolRequest[str] | ToolRequest[ToolArgument]) -> None:
        """Record nothing."""

    def tool_end(self, context: ToolContext, result: str | ToolResult) -> None:
        """Record the result."""
        self.ended.append(str(result))


def test_callbacks_receive_the_whole_of_a_stream() -> None:
    """And not its last chunk."""
    log = Log()
    model = Answers(asks("spell"), "done")
    agent = Agent(name="agent", model=model, message_type=Message, tools=[Slowly()], callbacks=log)
    drain(agent.run([QUESTION], streaming=True))

    assert log.ended == ["", "abc", "done"]


def test_the_stream_of_an_exit_tool_marks_the_end_of_the_run() -> None:
    """As the event of an exit tool that returns its result at once does: EXIT-02."""
    agent = Agent(name="agent", model=Answers(asks("spell")), message_type=Message, exit_tool=Slowly())
    streams = [event for event in drain(agent.run([QUESTION])) if isinstance(event, StreamEvent)]

    assert [event.exits for event in streams] == [True]
