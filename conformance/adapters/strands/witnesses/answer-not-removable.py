"""An AfterModelCallEvent hook that empties the conversation does not remove the answer, which is appended later."""

from strands import Agent
from strands.hooks import AfterModelCallEvent

from scripted import Scripted, shown


def empty(event: AfterModelCallEvent) -> None:
    event.agent.messages.clear()


agent = Agent(model=Scripted("done"), callback_handler=None, hooks=[empty])
result = agent("Hi")

print(result.stop_reason, shown(agent.messages))

# Output:
# end_turn ["assistant: 'done'"]
