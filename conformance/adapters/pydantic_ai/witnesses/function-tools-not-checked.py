"""A model whose profile has no tool support receives function tools; an output tool is an error."""

from pydantic import BaseModel
from pydantic_ai import Agent, ModelMessage, ModelResponse, TextPart, ToolOutput, UserError
from pydantic_ai.models.function import AgentInfo, FunctionModel


class Weather(BaseModel):
    sky: str


def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    print("function tools of the request:", [tool.name for tool in info.function_tools])
    return ModelResponse([TextPart("done")])


def weather() -> str:
    return "sunny"


model = FunctionModel(answer, profile={"supports_tools": False})
print(Agent(model, tools=[weather]).run_sync("hi").output)
try:
    Agent(model, output_type=ToolOutput(Weather)).run_sync("hi")
except UserError as error:
    print("UserError:", error)

# Output:
# function tools of the request: ['weather']
# done
# UserError: Tool output is not supported by this model.
