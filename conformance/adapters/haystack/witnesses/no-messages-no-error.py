"""A run whose `on_exit` hook removes all messages ends without an error, and its result has no last message."""

from haystack.components.agents import Agent, State
from haystack.components.agents.state import replace_values
from haystack.components.generators.chat import MockChatGenerator
from haystack.hooks import hook

from scripted import ASKED


@hook
def remove_all(state: State) -> None:
    state.set("messages", [], handler_override=replace_values)


@hook
def after_run(state: State) -> None:
    print("after_run:", state.data["messages"])


hooks = {"on_exit": [remove_all], "after_run": [after_run]}
result = Agent(chat_generator=MockChatGenerator(responses="It is sunny."), hooks=hooks).run(ASKED)
print("exit reason:", result["exit_reason"], "| has a last message:", "last_message" in result)

# Output:
# after_run: []
# exit reason: text | has a last message: False
