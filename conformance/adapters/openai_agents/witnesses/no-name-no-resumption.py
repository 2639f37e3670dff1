"""A run of an agent whose name is empty cannot be resumed from its state in JSON."""

import asyncio

from agents import Agent, Runner, RunState, function_tool, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message, function_call

set_tracing_disabled(True)


@function_tool(needs_approval=True)
def delete() -> str:
    """Delete."""
    return "deleted"


async def main() -> None:
    for name in ("agent", ""):
        model = ScriptedModel([[function_call("delete", {}, call_id="1")], [assistant_message("done")]])
        agent = Agent(name, model=model, tools=[delete])
        result = await Runner.run(agent, "hi")
        try:
            state = await RunState.from_json(agent, result.to_state().to_json())
            state.approve(state.get_interruptions()[0])
            end = (await Runner.run(agent, state)).final_output
        except Exception as error:
            end = f"{type(error).__name__}: {error}"
        print(f"name {name!r}: {end}")


asyncio.run(main())

# Output:
# name 'agent': done
# name '': UserError: Run state agent not found in agent map
