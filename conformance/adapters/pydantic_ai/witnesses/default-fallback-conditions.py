"""ModelFallback without `fallback_on` has conditions of its own: it falls back after an API error, for example."""

from pydantic_ai import Agent, ModelHTTPError, ModelMessage, ModelResponse, TextPart
from pydantic_ai.capabilities import ModelFallback
from pydantic_ai.models.function import AgentInfo, FunctionModel


def run(error: Exception) -> str:
    def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        raise error

    backup = FunctionModel(lambda messages, info: ModelResponse([TextPart("the backup answers")]))
    try:
        return Agent(FunctionModel(model), capabilities=[ModelFallback(backup)]).run_sync("hi").output
    except ConnectionError:
        return "the run fails"


print("ModelHTTPError: ", run(ModelHTTPError(503, "model")))
print("ConnectionError:", run(ConnectionError("down")))

# Output:
# ModelHTTPError:  the backup answers
# ConnectionError: the run fails
