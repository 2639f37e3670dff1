"""Tools of middlewares, and commands: results that change a state or make the run jump."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from loopspec_reference import (
    ImagePart,
    ToolContext,
    ToolInfo,
    ToolRequest,
)
from loopspec_reference.plugins import (
    Command,
    Middleware,
    ToolOutcome,
)

from ..doubles import QUESTION, Answers, asks, drain
from .stacks import failure, stacked


class Count(msgspec.Struct):
    """A state."""

    count: int = 0


class Commanding:
    """A tool that returns an answer."""

    def __init__(self, answer: Any, name: str = "add") -> None:
        self.info = ToolInfo(name)
        self.answer = answer

    async def invoke(self, context: ToolContext, request: ToolRequest[str]) -> str | Command:
        """Return the answer."""
        answer: str | Command = self.answer
        return answer


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (3, "HookError: the tool 'add' of the middleware 'm' has returned 3: return a text or a Command"),
        (
            Command(goto="start"),
            "JumpError: the tool 'add' of the middleware 'm' sends the run to 'start': choose from",
        ),
        (
            Command(result=ToolOutcome(parts=(ImagePart("u"),))),
            "HookError: the tool 'add' of the middleware 'm' returns an image",
        ),
    ],
)
def test_an_invalid_value_from_a_tool_is_rejected(answer: object, sentence: str) -> None:
    """The error names the tool."""
    middleware = Middleware("m", tools=[Commanding(answer)])

    assert failure(drain(stacked(Answers(asks("add")), middleware).run([QUESTION]))).startswith(sentence)


def test_a_command_cannot_name_another_owner() -> None:
    """The owner of a command is set by the stack."""
    forged = Commanding(Command({"count": 3}, owner="m"))
    built = stacked(Answers(asks("add")), Middleware("m", state_schema=Count), Middleware("n", tools=[forged]))

    assert failure(drain(built.run([QUESTION]))) == (
        "HookError: the tool 'add' of the middleware 'n' has returned a command with the owner 'm': leave it out"
    )
