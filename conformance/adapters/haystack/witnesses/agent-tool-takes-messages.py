"""A sub-agent takes its task as a message: an argument of another name is an error that the outer model receives."""

from haystack.components.agents import Agent
from haystack.components.generators.chat import MockChatGenerator
from haystack.tools import AgentTool

from scripted import ASKED, calls

helper = AgentTool(
    Agent(chat_generator=MockChatGenerator(responses="It is sunny.")), name="helper", description="Helps."
)
print("arguments:", list(helper.parameters["properties"]))
for arguments in ({"messages": [{"role": "user", "content": "Rome?"}]}, {"request": "Rome?"}):
    model = MockChatGenerator(responses=[calls("helper", **arguments), "done"])
    result = Agent(chat_generator=model, tools=[helper]).run(ASKED)["messages"][2].tool_call_result
    print("error:", result.error, "|", result.result)

# Output:
# arguments: ['messages']
# error: False | It is sunny.
# error: True | Failed to invoke Tool `helper` with parameters {'request': 'Rome?'}. Error: 'request'
