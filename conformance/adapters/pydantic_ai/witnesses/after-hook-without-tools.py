"""The tools that `after_model_request` takes from a request are in the next request again."""

from pydantic_ai import Agent, ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.capabilities import Hooks
from pydantic_ai.models.function import AgentInfo, FunctionModel

answers = iter([ModelResponse([ToolCallPart("weather")]), ModelResponse([TextPart("done")])])
hooks = Hooks()


def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    print("tools of the request:", [tool.name for tool in info.function_tools])
    return next(answers)


@hooks.on.after_model_request
async def hide_tools(ctx, *, request_context, response):
    request_context.model_request_parameters.function_tools.clear()
    return response


def weather() -> str:
    return "sunny"


Agent(FunctionModel(model), tools=[weather], capabilities=[hooks]).run_sync("hi")

# Output:
# tools of the request: ['weather']
# tools of the request: ['weather']
