"""Records spans of pydantic-ai-slim 2.68.0, with its own instrumentation."""

import asyncio
from typing import Any

from pydantic_ai import Agent, ModelRetry
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel
from spans import SCRIPT, call, read, write


def scripted(*answers: list[Any]) -> FunctionModel:
    left = iter(answers)
    return FunctionModel(lambda messages, info: ModelResponse([part(one) for one in next(left)]))


def part(said: Any) -> TextPart | ToolCallPart:
    return TextPart(said) if isinstance(said, str) else ToolCallPart(said["name"], said["arguments"], said["call"])


def read_or_retry(path: str) -> str:
    """Read a file."""
    if path == "missing":
        raise ModelRetry("no such file")
    return read(path)


async def ask(path: str) -> str:
    """Let another agent read a file."""
    reader = Agent(scripted([call(1, path)], [path]), name="reader", tools=[read])
    return (await reader.run("Read it.")).output


async def main() -> None:
    Agent.instrument_all(True)
    reader = Agent(scripted(*SCRIPT), name="reader", instructions="Be brief.")
    reader.tool_plain(read_or_retry, name="read")
    first = await reader.run("Read.")
    await reader.run("And more?", message_history=first.all_messages())
    write("pydantic_ai.jsonl")
    both = [call(8, "a.txt", "ask"), call(9, "b.txt", "ask")]
    await Agent(scripted(both, ["Both."]), name="boss", tools=[ask]).run("Ask.")
    write("sub_agents_pydantic_ai.jsonl", is_console=True)


if __name__ == "__main__":
    asyncio.run(main())
