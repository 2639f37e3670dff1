"""Adjacent messages of one role are merged into one message before the model call, empty ones included."""

from pydantic_ai import Agent, ModelMessage, ModelRequest, ModelResponse, TextPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

history = [
    ModelRequest([UserPromptPart("hi")]),
    ModelResponse([TextPart("")]),
    ModelResponse([TextPart("Well?")]),
    ModelRequest([UserPromptPart("One?")]),
    ModelRequest([UserPromptPart("Two?")]),
]


def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    for message in messages:
        print(message.kind, [part.content for part in message.parts])
    return ModelResponse([TextPart("done")])


print(len(history), "messages")
result = Agent(FunctionModel(model)).run_sync(message_history=history)
print(len(result.all_messages()), "messages, with the answer")

# Output:
# 5 messages
# request ['hi']
# response ['', 'Well?']
# request ['One?', 'Two?']
# 4 messages, with the answer
