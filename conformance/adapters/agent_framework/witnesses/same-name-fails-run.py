"""Two tools with one name are accepted when the agent is built, and fail each run."""

import asyncio

from agent_framework import Agent, FunctionTool

from scripted import Scripted, says

tools = [FunctionTool(name="search", description="", func=lambda found=found: found) for found in ("one", "two")]
agent = Agent(Scripted(says("done")), tools=tools)
print("built with", [tool.name for tool in agent.default_options["tools"]])
try:
    asyncio.run(agent.run("hi"))
except Exception as error:
    print("the run fails with", type(error).__name__, str(error)[:60])

# Output:
# built with ['search', 'search']
# the run fails with ValueError Duplicate tool name 'search'. Tool names must be unique.
