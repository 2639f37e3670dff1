"""The `after_run` hook runs after each run, also after one that reaches its limit; the `on_exit` hook does not."""

from haystack.components.agents import Agent, State
from haystack.components.generators.chat import MockChatGenerator
from haystack.hooks import hook

from scripted import ASKED, calls, weather


@hook
def on_exit(state: State) -> None:
    print("  on_exit:", state.data["exit_reason"])


@hook
def after_run(state: State) -> None:
    print("  after_run:", state.data["exit_reason"])


for limit in (2, 1):
    model = MockChatGenerator(responses=[calls("weather"), "It is sunny."])
    hooks = {"on_exit": [on_exit], "after_run": [after_run]}
    print("limit", limit)
    Agent(chat_generator=model, tools=[weather], max_agent_steps=limit, hooks=hooks).run(ASKED)

# Output:
# limit 2
#   on_exit: text
#   after_run: text
# limit 1
#   after_run: max_agent_steps
