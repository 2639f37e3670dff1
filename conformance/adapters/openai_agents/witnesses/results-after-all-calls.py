"""A streaming run yields the results of an answer after its last tool call has ended; a hook has each at once."""

import asyncio

from agents import Agent, RunHooks, Runner, function_tool, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message, function_call

set_tracing_disabled(True)


@function_tool
async def wait(seconds: float) -> str:
    """Wait."""
    await asyncio.sleep(seconds)
    return f"{seconds} s"


class Hooks(RunHooks):
    async def on_tool_end(self, context, agent, tool, result) -> None:
        print("hook:", result)


async def main() -> None:
    calls = [function_call("wait", {"seconds": seconds}, call_id=str(seconds)) for seconds in (0.2, 0.0)]
    agent = Agent("agent", model=ScriptedModel([calls, [assistant_message("done")]]), tools=[wait])
    async for event in Runner.run_streamed(agent, "hi", hooks=Hooks()).stream_events():
        if event.type == "run_item_stream_event" and event.name == "tool_output":
            print("event:", event.item.output)


asyncio.run(main())

# Output:
# hook: 0.0 s
# hook: 0.2 s
# event: 0.2 s
# event: 0.0 s
