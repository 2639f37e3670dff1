"""A model that returns no replies ends the run of an agent without tools, whose last message is the user's."""

from typing import Any

from haystack import component
from haystack.components.agents import Agent
from haystack.dataclasses import ChatMessage

from scripted import ASKED


@component
class NoReplies:
    @component.output_types(replies=list[ChatMessage])
    def run(self, messages: list[ChatMessage]) -> dict[str, Any]:
        return {"replies": []}


result = Agent(chat_generator=NoReplies()).run(ASKED)
print("exit reason:", result["exit_reason"])
print("last message:", result["last_message"].role.value, result["last_message"].text)

# Output:
# exit reason: text
# last message: user What is the weather?
