"""The messages of a sub-agent reach the caller as chunks of a streaming run, and are not in the result of a run."""

from haystack.components.agents import Agent
from haystack.components.generators.chat import MockChatGenerator
from haystack.tools import AgentTool

from scripted import ASKED, calls

helper = AgentTool(
    Agent(chat_generator=MockChatGenerator(responses="It is sunny.")), name="helper", description="Helps."
)
model = MockChatGenerator(responses=[calls("helper", messages=[{"role": "user", "content": "Rome?"}]), "I see."])
agent = Agent(chat_generator=model, tools=[helper], tool_streaming_callback_passthrough=True)
chunks = []
agent.run(ASKED, streaming_callback=lambda chunk: chunks.append(chunk.content))
print("chunks:", "".join(chunks))
print("messages:", [message.text for message in agent.run(ASKED)["messages"] if message.text])

# Output:
# chunks: It is sunny.I see.
# messages: ['What is the weather?', 'I see.']
