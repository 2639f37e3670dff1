"""An agent with two tools of one name is built, and its run fails before the first model call."""

from haystack.components.agents import Agent
from haystack.components.generators.chat import MockChatGenerator

from scripted import ASKED, weather

agent = Agent(chat_generator=MockChatGenerator(responses="done"), tools=[weather, weather])
print("built")
try:
    agent.run(ASKED)
except ValueError as error:
    print(error)

# Output:
# built
# Duplicate tool names found: {'weather'}
