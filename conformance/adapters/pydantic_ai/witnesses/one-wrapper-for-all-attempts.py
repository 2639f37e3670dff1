"""`wrap_model_request` is called once for two attempts, and its own error leads to no further attempt."""

from pydantic_ai import Agent, ModelMessage, ModelResponse, RetryModelRequest
from pydantic_ai.capabilities import Hooks
from pydantic_ai.models.function import AgentInfo, FunctionModel

hooks = Hooks()


def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    raise ConnectionError("busy")


@hooks.on.model_request_error
async def retry_once(ctx, *, request_context, error):
    print("error hook, attempt", request_context.attempt, "fails:", error)
    if request_context.attempt == 1:
        raise RetryModelRequest from error
    raise error


@hooks.on.model_request
async def guard(ctx, *, request_context, handler):
    print("wrapper")
    try:
        return await handler(request_context)
    except ConnectionError:
        raise ValueError("forbidden") from None


try:
    Agent(FunctionModel(model), capabilities=[hooks]).run_sync("hi")
except ValueError as error:
    print("the run fails:", error)

# Output:
# wrapper
# error hook, attempt 1 fails: busy
# error hook, attempt 2 fails: busy
# the run fails: forbidden
