"""A tool that returns None has the result "", and the run continues."""

from pydantic_ai import Agent, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import FunctionModel

answers = iter([ModelResponse([ToolCallPart("weather")]), ModelResponse([TextPart("done")])])
agent = Agent(FunctionModel(lambda messages, info: next(answers)))


@agent.tool_plain
def weather() -> None:
    """Return nothing."""


result = agent.run_sync("hi")
parts = [part for message in result.all_messages() for part in message.parts]
print("result:", [part.model_response_str() for part in parts if isinstance(part, ToolReturnPart)])
print("output:", result.output)

# Output:
# result: ['']
# output: done
