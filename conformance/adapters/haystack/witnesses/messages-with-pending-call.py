"""A sub-agent that receives the messages of the state also receives the answer that calls it, without a result."""

from haystack.components.agents import Agent
from haystack.components.generators.chat import MockChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.tools import AgentTool

from scripted import ASKED, calls


def answer(messages: list[ChatMessage]) -> str:
    print("the sub-agent receives:", [(one.role.value, one.text or one.tool_call.tool_name) for one in messages])
    return "It is sunny."


helper = AgentTool(
    Agent(chat_generator=MockChatGenerator(response_fn=answer)),
    name="helper",
    description="Helps.",
    parameters={"type": "object", "properties": {}},
    inputs_from_state={"messages": "messages"},
)
Agent(chat_generator=MockChatGenerator(responses=[calls("helper"), "done"]), tools=[helper]).run(ASKED)

# Output:
# the sub-agent receives: [('user', 'What is the weather?'), ('assistant', 'helper')]
