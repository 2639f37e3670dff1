"""The answer of a wrapper whose model call fails is the output of a run, and not of a streaming run."""

from collections.abc import AsyncIterator

from pydantic_ai import Agent, ModelMessage, ModelResponse, TextPart
from pydantic_ai.capabilities import Hooks
from pydantic_ai.models.function import AgentInfo, FunctionModel

hooks, on_error = Hooks(), Hooks()


def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    raise ConnectionError("overloaded")


async def stream(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str]:
    raise ConnectionError("overloaded")
    yield ""


@hooks.on.model_request
async def recover(ctx, *, request_context, handler):
    try:
        return await handler(request_context)
    except ConnectionError:
        return ModelResponse([TextPart("try later")])


@on_error.on.model_request_error
async def recover_from_error(ctx, *, request_context, error):
    return ModelResponse([TextPart("try later")])


agent = Agent(FunctionModel(model, stream_function=stream), capabilities=[hooks])
print("run:", agent.run_sync("hi").output)
try:
    print("streaming run:", agent.run_stream_sync("hi").get_output())
except ConnectionError as error:
    print("streaming run:", repr(error))


other = Agent(FunctionModel(model, stream_function=stream), capabilities=[on_error])
print("streaming run with an error hook:", other.run_stream_sync("hi").get_output())

# Output:
# run: try later
# streaming run: ConnectionError('overloaded')
# streaming run with an error hook: try later
