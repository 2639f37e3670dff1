"""A run whose attempts all fail ends with the error of the last one, and nothing says that it was retried."""

from pydantic_ai import Agent, ModelMessage, ModelResponse, RetryModelRequest
from pydantic_ai.capabilities import Hooks
from pydantic_ai.models.function import AgentInfo, FunctionModel

errors = iter([ConnectionError("first"), ConnectionError("second"), ConnectionError("third")])
hooks = Hooks()


def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    raise next(errors)


@hooks.on.model_request_error
async def retry_twice(ctx, *, request_context, error):
    print("attempt", request_context.attempt, "fails:", error)
    if request_context.attempt < 3:
        raise RetryModelRequest from error
    raise error


try:
    Agent(FunctionModel(model), capabilities=[hooks]).run_sync("hi")
except Exception as error:
    print("the run fails:", repr(error), error.__cause__)

# Output:
# attempt 1 fails: first
# attempt 2 fails: second
# attempt 3 fails: third
# the run fails: ConnectionError('third') None
