"""A sub-agent whose input schema is the empty one has the default schema: any other schema replaces it."""

from haystack.components.agents import Agent
from haystack.components.generators.chat import MockChatGenerator
from haystack.tools import AgentTool

for schema in ({"type": "object"}, {}):
    agent = Agent(chat_generator=MockChatGenerator(responses="It is sunny."))
    helper = AgentTool(
        agent, name="helper", description="Helps.", parameters=schema, inputs_from_state={"messages": "messages"}
    )
    print("parameters", schema, "has the arguments", list(helper.parameters.get("properties", {})))

# Output:
# parameters {'type': 'object'} has the arguments []
# parameters {} has the arguments ['messages']
