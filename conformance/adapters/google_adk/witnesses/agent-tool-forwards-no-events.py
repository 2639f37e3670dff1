"""The events of a sub-agent in an agent tool do not reach the caller; those of a sub-agent in single-turn mode do."""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.runners import InMemoryRunner
from google.adk.tools.agent_tool import AgentTool

from scripted import Scripted, call, shown


def weather() -> str:
    return "sunny"


async def main() -> None:
    for mode in (None, "single_turn"):
        helper = LlmAgent(name="helper", model=Scripted([call("weather")], "It is sunny."), tools=[weather], mode=mode)
        model = Scripted([call("helper", request="Help")], "done")
        inside = {"sub_agents": [helper]} if mode else {"tools": [AgentTool(helper)]}
        events = await InMemoryRunner(LlmAgent(name="agent", model=model, **inside)).run_debug("hi", quiet=True)
        print(mode or "agent tool")
        for event in events:
            print("-", event.author, shown([event.content]))


asyncio.run(main())

# Output:
# agent tool
# - agent ["model: helper({'request': 'Help'})"]
# - agent ["user: helper -> {'result': 'It is sunny.'}"]
# - agent ["model: 'done'"]
# single_turn
# - agent ["model: helper({'request': 'Help'})"]
# - helper ['model: weather()']
# - helper ["user: weather -> {'result': 'sunny'}"]
# - helper ["model: 'It is sunny.'"]
# - agent ["user: helper -> {'result': 'It is sunny.'}"]
# - agent ["model: 'done'"]
