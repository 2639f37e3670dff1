"""pydantic-ai's `Agent` with a function as its model."""

from pydantic_ai import Agent, UsageLimits
from pydantic_ai.capabilities import ProcessHistory
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel
from timing import report


def build(calls, handlers):
    left = calls

    async def model(messages, info):
        nonlocal left
        left -= 1
        return ModelResponse(parts=[ToolCallPart("echo", {"x": "1"})] if left else [TextPart("done")])

    async def idle(messages):
        return messages

    async def echo(x: str) -> str:
        """Return the argument."""
        return x

    capabilities = [ProcessHistory(idle) for _ in range(handlers)]
    return Agent(FunctionModel(model), tools=[echo], capabilities=capabilities)


async def run(calls, handlers):
    result = await build(calls, handlers).run("go", usage_limits=UsageLimits(request_limit=None))
    assert result.output == "done"


report(run)
