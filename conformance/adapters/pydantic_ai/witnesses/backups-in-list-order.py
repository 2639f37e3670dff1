"""ModelFallback asks whether to fall back: its models follow in their order, with the messages of the request."""

from pydantic_ai import Agent, ModelMessage, ModelResponse, TextPart, UserError
from pydantic_ai.capabilities import ModelFallback
from pydantic_ai.models.function import AgentInfo, FunctionModel


def failing(name: str) -> FunctionModel:
    def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        print(name, "receives", [part.content for message in messages for part in message.parts])
        raise ConnectionError(f"{name} is down")

    return FunctionModel(model, model_name=name)


def falls_back(error: Exception) -> bool:
    print("fallback_on receives", repr(error))
    return True


last = FunctionModel(lambda messages, info: ModelResponse([TextPart("done")]), model_name="last")
fallback = ModelFallback(failing("backup"), last, fallback_on=falls_back)
print(Agent(failing("primary"), capabilities=[fallback]).run_sync("hi").output)
try:
    ModelFallback(fallback_on=falls_back)
except UserError as error:
    print(error)

# Output:
# primary receives ['hi']
# fallback_on receives ConnectionError('primary is down')
# backup receives ['hi']
# fallback_on receives ConnectionError('backup is down')
# done
# `ModelFallback` requires at least one model to fall back to.
