"""An agent as a tool has no option for an input schema."""

import inspect

from strands import Agent

from scripted import Scripted

print(*inspect.signature(Agent.as_tool).parameters)
agent = Agent(model=Scripted("done"), name="helper", callback_handler=None)
print(*agent.as_tool().tool_spec["inputSchema"]["json"]["properties"])

# Output:
# self name description preserve_context delegate
# input
