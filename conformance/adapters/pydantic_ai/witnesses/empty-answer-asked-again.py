"""After an answer without text and tool calls, the model is called again, with a request for a text."""

from pydantic_ai import Agent, ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

answers = iter([ModelResponse([TextPart("")]), ModelResponse([TextPart("done")])])


def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    print("model call:", [(message.kind, part.content) for message in messages for part in message.parts])
    return next(answers)


print("output:", Agent(FunctionModel(model)).run_sync("hi").output)

# Output:
# model call: [('request', 'hi')]
# model call: [('request', 'hi'), ('response', ''), ('request', '<system>Please return text.</system>')]
# output: done
