"""A tool call that an `on_exit` hook adds does not run: the run ends, or continues with the next model call."""

from haystack.components.agents import Agent, State
from haystack.components.generators.chat import MockChatGenerator
from haystack.hooks import hook

from scripted import ASKED, calls, weather

for continues in (False, True):

    @hook
    def add_call(state: State) -> None:
        if state.data["step_count"] == 1:
            state.set("messages", [calls("weather")])
            state.set("continue_run", continues)  # noqa: B023  # called in its own round

    model = MockChatGenerator(responses=["I look it up.", "It is sunny."])
    result = Agent(chat_generator=model, tools=[weather], hooks={"on_exit": [add_call]}).run(ASKED)
    roles = [message.role.value for message in result["messages"]]
    print(roles, "| calls of the tool:", result["tool_call_counts"]["weather"])

# Output:
# ['user', 'assistant', 'assistant'] | calls of the tool: 0
# ['user', 'assistant', 'assistant', 'assistant'] | calls of the tool: 0
