"""An agent tool returns an error message as its result if the sub-agent's model gives an empty answer."""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.runners import InMemoryRunner
from google.adk.tools.agent_tool import AgentTool

from scripted import Scripted, call

helper = LlmAgent(name="helper", model=Scripted(""))
model = Scripted([call("helper", request="Help")], "done")
agent = LlmAgent(name="agent", model=model, tools=[AgentTool(helper)])
asyncio.run(InMemoryRunner(agent).run_debug("hi", quiet=True))

(part,) = model.requests[1].contents[2].parts
print(part.function_response.response["result"].split(" (")[0])

# Output:
# The model returned no actionable content
