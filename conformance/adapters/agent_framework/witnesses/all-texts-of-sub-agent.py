"""The result of a sub-agent has the texts of all its messages, and not only the last one."""

import asyncio

from agent_framework import Agent, tool

from scripted import Scripted, calls, says, shown


@tool
def weather() -> str:
    """Return the weather."""
    return "sunny"


helper = Agent(Scripted(calls("weather", text="I look. "), says("It is sunny.")), name="helper", tools=[weather])
model = Scripted(calls("helper", task="the weather"), says("done"))
asyncio.run(Agent(model, tools=[helper.as_tool()]).run("hi"))

print("the outer model receives", shown(model.requests[1]))

# Output:
# the outer model receives [('user', 'hi'), ('assistant', 'helper()'), ('tool', 'I look. It is sunny.')]
