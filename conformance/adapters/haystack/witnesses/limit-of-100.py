"""Without `max_agent_steps`, a run makes 100 model calls and ends without an error: its exit reason names the limit."""

from haystack.components.agents import Agent
from haystack.components.generators.chat import MockChatGenerator

from scripted import ASKED, calls, weather

agent = Agent(chat_generator=MockChatGenerator(responses=[calls("weather")]), tools=[weather])
result = agent.run(ASKED)
print("steps:", result["step_count"], "| exit reason:", result["exit_reason"])

# Output:
# steps: 100 | exit reason: max_agent_steps
