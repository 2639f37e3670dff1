"""The hook for the end of a tool is called when a call ends: here for the second call first, which ends the run."""

import asyncio

from agents import Agent, RunHooks, Runner, StopAtTools, function_tool, set_tracing_disabled
from agents.testing import ScriptedModel, function_call

set_tracing_disabled(True)


@function_tool
async def answer() -> str:
    """Return at once, and end the run."""
    return "found"


@function_tool
async def log() -> str:
    """Return later."""
    await asyncio.sleep(0.2)
    return "late"


class Hooks(RunHooks):
    async def on_tool_end(self, context, agent, tool, result) -> None:
        print("hook:", result)


calls = [function_call("log", {}, call_id="2"), function_call("answer", {}, call_id="1")]
stop = StopAtTools(stop_at_tool_names=["answer"])
agent = Agent("agent", model=ScriptedModel([calls]), tools=[answer, log], tool_use_behavior=stop)
print("final output:", Runner.run_sync(agent, "hi", hooks=Hooks()).final_output)

# Output:
# hook: found
# hook: late
# final output: found
