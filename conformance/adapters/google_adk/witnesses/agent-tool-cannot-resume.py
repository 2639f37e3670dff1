"""If a tool inside an agent tool waits for a confirmation, the outer model receives an error."""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.runners import InMemoryRunner
from google.adk.tools.agent_tool import AgentTool
from google.adk.tools.function_tool import FunctionTool

from scripted import Scripted, call, shown


def pay() -> str:
    return "paid"


async def main() -> None:
    for mode in (None, "single_turn"):
        tools = [FunctionTool(pay, require_confirmation=True)]
        helper = LlmAgent(name="helper", model=Scripted([call("pay")], "It is paid."), tools=tools, mode=mode)
        model = Scripted([call("helper", request="Help")], "done")
        inside = {"sub_agents": [helper]} if mode else {"tools": [AgentTool(helper)]}
        events = await InMemoryRunner(LlmAgent(name="agent", model=model, **inside)).run_debug("hi", quiet=True)
        print(mode or "agent tool")
        for event in events:
            calls = [one.name for one in event.get_function_calls()]
            print("-", event.author, calls or shown([event.content])[0].partition(" on ")[0])


asyncio.run(main())

# Output:
# agent tool
# - agent ['helper']
# - agent user: helper -> {'result': "Error: agent 'helper' stopped waiting
# - agent model: 'done'
# single_turn
# - agent ['helper']
# - helper ['pay']
# - helper ['adk_request_confirmation']
# - helper user: pay -> {'error': 'This tool call requires confirmation, please approve or reject.'}
