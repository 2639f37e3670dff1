"""The result of a call of an unknown tool precedes the results of the other calls of the answer."""

from haystack.components.agents import Agent
from haystack.components.generators.chat import MockChatGenerator

from scripted import ASKED, calls, weather

model = MockChatGenerator(responses=[calls("weather", "missing"), "done"])
result = Agent(chat_generator=model, tools=[weather]).run(ASKED)
print("calls:", [call.tool_name for call in result["messages"][1].tool_calls])
print("results:", [message.tool_call_result.origin.tool_name for message in result["messages"][2:4]])

# Output:
# calls: ['weather', 'missing']
# results: ['missing', 'weather']
