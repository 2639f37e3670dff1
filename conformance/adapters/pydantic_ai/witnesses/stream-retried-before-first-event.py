"""A retry hook retries a stream that breaks before its first event, and no stream that breaks later."""

from collections.abc import AsyncIterator

from pydantic_ai import Agent, ModelMessage, RetryModelRequest
from pydantic_ai.capabilities import Hooks
from pydantic_ai.models.function import AgentInfo, FunctionModel

hooks = Hooks()


@hooks.on.model_request_error
async def retry(ctx, *, request_context, error):
    raise RetryModelRequest from error


def run(*chunks: str) -> None:
    attempts = iter([chunks, ["done"]])

    async def model(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str]:
        attempt = next(attempts)
        print("model call", end=", ")
        for chunk in attempt:
            yield chunk
        if attempt is chunks:
            raise ConnectionError("busy")

    try:
        print(Agent(FunctionModel(stream_function=model), capabilities=[hooks]).run_stream_sync("hi").get_output())
    except ConnectionError as error:
        print(repr(error))


run()
run("half")

# Output:
# model call, model call, done
# model call, ConnectionError('busy')
