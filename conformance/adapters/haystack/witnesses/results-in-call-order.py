"""The results have the order of the calls, also where the first call is the one that ends the run."""

from haystack.components.agents import Agent
from haystack.components.generators.chat import MockChatGenerator
from haystack.tools import tool

from scripted import ASKED, calls, weather


@tool
def finish() -> str:
    """End the run."""
    return "finished"


model = MockChatGenerator(responses=[calls("finish", "weather")])
agent = Agent(chat_generator=model, tools=[finish, weather], exit_conditions=["text", "finish"])
received = []
result = agent.run(ASKED, streaming_callback=lambda chunk: received.append(chunk.tool_call_result))
print("results:", [one.result for one in received if one])
print("exit reason:", result["exit_reason"], "| last message:", result["last_message"].tool_call_result.result)

# Output:
# results: ['finished', 'sunny']
# exit reason: finish | last message: sunny
