"""The events of a cancelled run end without an error, for both modes; the run then has no final output."""

import asyncio

from agents import Agent, Runner, function_tool, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message, function_call

set_tracing_disabled(True)


@function_tool
async def weather() -> str:
    """Return the weather."""
    return "sunny"


async def main() -> None:
    for mode in ("immediate", "after_turn"):
        answer = [assistant_message("Look"), function_call("weather", {}, call_id="1")]
        model = ScriptedModel([answer, [assistant_message("done")]])
        result = Runner.run_streamed(Agent("agent", model=model, tools=[weather]), "hi")
        async for event in result.stream_events():
            if event.type == "raw_response_event" and event.data.type == "response.output_text.delta":
                result.cancel(mode=mode)
        print(f"{mode}: the stream ends, {result.is_complete=}, {result.final_output=}, {result.run_loop_exception=}")


asyncio.run(main())

# Output:
# immediate: the stream ends, result.is_complete=True, result.final_output=None, result.run_loop_exception=None
# after_turn: the stream ends, result.is_complete=True, result.final_output=None, result.run_loop_exception=None
