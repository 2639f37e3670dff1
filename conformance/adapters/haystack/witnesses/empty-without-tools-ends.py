"""After an empty answer, an agent with tools calls its model again, and the run of an agent without tools ends."""

from haystack.components.agents import Agent
from haystack.components.generators.chat import MockChatGenerator
from haystack.dataclasses import ChatMessage

from scripted import ASKED, weather

for tools in ([weather], []):
    model = MockChatGenerator(responses=[ChatMessage.from_assistant(""), "It is sunny."])
    result = Agent(chat_generator=model, tools=tools).run(ASKED)
    print("tools:", len(tools), "| steps:", result["step_count"], "| last message:", repr(result["last_message"].text))

# Output:
# tools: 1 | steps: 2 | last message: 'It is sunny.'
# tools: 0 | steps: 1 | last message: ''
