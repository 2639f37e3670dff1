"""What the programs share: models with scripted answers, and a tool."""

from collections.abc import Sequence

from llama_index.core.base.llms.types import ToolCallBlock
from llama_index.core.llms import ChatMessage
from llama_index.core.llms.mock import MockFunctionCallingLLM

REQUESTS: list[list[str]] = []  # the messages of each model call


async def weather() -> str:
    """Look up the weather."""
    print("called: weather")
    return "sunny"


def calls(*names: str, **arguments: object) -> ChatMessage:
    """Return an answer that calls the tools."""
    called = [
        ToolCallBlock(tool_call_id=f"call {at}", tool_name=name, tool_kwargs=arguments)
        for at, name in enumerate(names, 1)
    ]
    return ChatMessage(role="assistant", blocks=called)


def model(*answers: ChatMessage | str) -> MockFunctionCallingLLM:
    """Return a model that gives these answers."""
    left = list(answers)

    def answer(messages: Sequence[ChatMessage], **_: object) -> ChatMessage:
        REQUESTS.append([f"{one.role.value}: {one.content or 'a tool call'}" for one in messages])
        one = left.pop(0)
        return ChatMessage(one, role="assistant") if isinstance(one, str) else one

    return MockFunctionCallingLLM(response_generator=answer)
