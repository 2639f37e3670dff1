"""A run that is cancelled after the turn still runs the tools of the answer; cancelled at once, it loses the answer."""

import asyncio

from agents import Agent, Runner, function_tool, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message, function_call

set_tracing_disabled(True)


@function_tool
async def weather() -> str:
    """Return the weather."""
    print("weather runs")
    return "sunny"


async def cancelled(mode: str, during: str) -> None:
    answer = [assistant_message("Look"), function_call("weather", {}, call_id="1")]
    model = ScriptedModel([answer, [assistant_message("done")]])
    result = Runner.run_streamed(Agent("agent", model=model, tools=[weather]), "hi")
    async for event in result.stream_events():
        if event.type == "raw_response_event" and event.data.type == during:
            print(f"cancel {mode} at {during}")
            result.cancel(mode=mode)
    print("model calls:", len(model.calls), "items:", [item.type for item in result.new_items])


asyncio.run(cancelled("after_turn", "response.output_text.delta"))
asyncio.run(cancelled("immediate", "response.completed"))

# Output:
# cancel after_turn at response.output_text.delta
# weather runs
# model calls: 1 items: ['message_output_item', 'tool_call_item', 'tool_call_output_item']
# cancel immediate at response.completed
# model calls: 1 items: []
