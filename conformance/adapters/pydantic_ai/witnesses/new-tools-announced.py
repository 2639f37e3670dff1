"""A tool that a hook hides from the first request is announced to the model, by a text in the second request."""

from dataclasses import replace

from pydantic_ai import Agent, ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.capabilities import Hooks
from pydantic_ai.models.function import AgentInfo, FunctionModel

answers = iter([ModelResponse([ToolCallPart("weather")]), ModelResponse([TextPart("done")])])
hooks = Hooks()


def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    print([tool.name for tool in info.function_tools], [part.content for part in messages[-1].parts])
    return next(answers)


@hooks.on.before_model_request
async def hide_search(ctx, request_context):
    if ctx.run_step == 1:
        parameters = request_context.model_request_parameters
        tools = [tool for tool in parameters.function_tools if tool.name != "search"]
        request_context.model_request_parameters = replace(parameters, function_tools=tools)
    return request_context


def weather() -> str:
    return "sunny"


def search() -> str:
    return "found"


Agent(FunctionModel(model), tools=[weather, search], capabilities=[hooks]).run_sync("hi")

# Output:
# ['weather'] ['hi']
# ['weather', 'search'] ['sunny', '<system>The following tool(s) are now available: `search`</system>']
