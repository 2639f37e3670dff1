"""The result of a call that waits for approval follows those of later calls; without approval it precedes them."""

from agents import Agent, Runner, function_tool, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message, function_call

set_tracing_disabled(True)


def delete() -> str:
    """Delete."""
    return "deleted"


@function_tool
def search() -> str:
    """Search."""
    return "found"


for needs_approval in (False, True):
    tools = [function_tool(delete, needs_approval=needs_approval), search]
    calls = [function_call("delete", {}, call_id="1"), function_call("search", {}, call_id="2")]
    model = ScriptedModel([calls, [assistant_message("done")]])
    agent = Agent("agent", model=model, tools=tools)
    result = Runner.run_sync(agent, "hi")
    if result.interruptions:
        state = result.to_state()
        state.approve(result.interruptions[0])
        Runner.run_sync(agent, state)
    results = [item["output"] for item in model.last_call.input if item.get("type") == "function_call_output"]
    print(f"{needs_approval=}: {results}")

# Output:
# needs_approval=False: ['deleted', 'found']
# needs_approval=True: ['found', 'deleted']
