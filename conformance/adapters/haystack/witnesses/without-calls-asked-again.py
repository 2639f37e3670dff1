"""A `before_tool` hook that replaces an answer and its calls does not end the run: the model is called again."""

from haystack.components.agents import Agent, State
from haystack.components.agents.state import replace_values
from haystack.components.generators.chat import MockChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.hooks import hook

from scripted import ASKED, calls, weather


@hook
def without_calls(state: State) -> None:
    messages = [*state.data["messages"][:-1], ChatMessage.from_assistant("I need no tool.")]
    state.set("messages", messages, handler_override=replace_values)


model = MockChatGenerator(responses=[calls("weather"), "It is sunny."])
result = Agent(chat_generator=model, tools=[weather], hooks={"before_tool": [without_calls]}).run(ASKED)
print([message.text for message in result["messages"]])
print("steps:", result["step_count"], "| calls of the tool:", result["tool_call_counts"]["weather"])

# Output:
# ['What is the weather?', 'I need no tool.', 'It is sunny.']
# steps: 2 | calls of the tool: 0
