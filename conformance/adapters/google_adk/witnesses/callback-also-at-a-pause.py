"""The after-agent callback is called when a tool call waits for a confirmation, and again when the run is resumed."""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.runners import InMemoryRunner
from google.adk.tools.function_tool import FunctionTool

from scripted import Scripted, call, confirm, shown


def pay() -> str:
    print("the tool is called")
    return "paid"


def after(callback_context):
    print("after-agent callback")


async def main() -> None:
    model = Scripted([call("pay")], "done")
    tool = FunctionTool(pay, require_confirmation=True)
    runner = InMemoryRunner(agent=LlmAgent(name="agent", model=model, tools=[tool], after_agent_callback=after))
    events = await runner.run_debug("hi", quiet=True)
    print("the run ends with", shown([events[-1].content]))
    events = await confirm(runner, events)
    print("the resumed run ends with", shown([events[-1].content]))


asyncio.run(main())

# Output:
# after-agent callback
# the run ends with ["user: pay -> {'error': 'This tool call requires confirmation, please approve or reject.'}"]
# the tool is called
# after-agent callback
# the resumed run ends with ["model: 'done'"]
