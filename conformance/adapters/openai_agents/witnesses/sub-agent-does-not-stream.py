"""In a streaming run, the model of an agent as a tool streams only if the tool has an on_stream callback."""

import asyncio

from agents import Agent, Runner, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message, function_call

set_tracing_disabled(True)


async def main() -> None:
    for on_stream in (None, lambda event: None):
        model = ScriptedModel([[function_call("helper", {"input": "?"}, call_id="1")], [assistant_message("done")]])
        helper_model = ScriptedModel([[assistant_message("ok")]])
        helper = Agent("helper", model=helper_model).as_tool("helper", "", on_stream=on_stream)
        result = Runner.run_streamed(Agent("agent", model=model, tools=[helper]), "hi")
        async for _ in result.stream_events():
            pass
        streamed = helper_model.first_call.streamed
        print(f"on_stream: {on_stream is not None}, agent streams: {model.first_call.streamed}, helper: {streamed}")


asyncio.run(main())

# Output:
# on_stream: False, agent streams: True, helper: False
# on_stream: True, agent streams: True, helper: True
