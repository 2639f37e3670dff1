"""A run that is cancelled in a turn keeps nothing of the turn, in its state and in its session."""

import asyncio

from agents import Agent, Runner, SQLiteSession, set_tracing_disabled
from agents.testing import ModelStep, ScriptedModel, assistant_message, function_call

set_tracing_disabled(True)


async def main() -> None:
    begun = asyncio.Event()

    async def late(call) -> list:
        begun.set()
        await asyncio.sleep(60)
        return []

    helper_model = ScriptedModel([ModelStep.respond(late), [assistant_message("helped")]])
    helper = Agent("helper", model=helper_model).as_tool("helper", "")
    model = ScriptedModel([[function_call("helper", {"input": "?"}, call_id="2")], [assistant_message("done")]])
    agent = Agent("agent", model=model, tools=[helper])

    session = SQLiteSession("1")
    result = Runner.run_streamed(agent, "hi", session=session)
    await begun.wait()
    result.cancel()
    await asyncio.wait([result.run_loop_task])
    print("cancelled: model calls of agent", len(model.calls), "of helper", len(helper_model.calls))
    await Runner.run(agent, result.to_state())
    print("resumed:   model calls of agent", len(model.calls), "of helper", len(helper_model.calls))
    print("the model receives", model.last_call.input)
    print("the session has", [item["role"] for item in await session.get_items()])


asyncio.run(main())

# Output:
# cancelled: model calls of agent 1 of helper 1
# resumed:   model calls of agent 2 of helper 1
# the model receives [{'content': 'hi', 'role': 'user'}]
# the session has ['user']
