"""An answer that uses the id of a completed call for other arguments ends the run with an error."""

from agents import Agent, ModelBehaviorError, Runner, function_tool, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message, function_call

set_tracing_disabled(True)


@function_tool(needs_approval=True)
def pay(to: str) -> str:
    """Pay."""
    print("paid:", to)
    return "paid"


for second in ("2", "1"):
    first, later = (function_call("pay", {"to": to}, call_id=one) for to, one in (("Ann", "1"), ("Bob", second)))
    agent = Agent("agent", model=ScriptedModel([[first], [later], [assistant_message("done")]]), tools=[pay])
    result = Runner.run_sync(agent, "hi")
    state = result.to_state()
    state.approve(result.interruptions[0])
    try:
        result = Runner.run_sync(agent, state)
        print("waits:", [item.arguments for item in result.interruptions])
    except ModelBehaviorError as error:
        print("fails:", str(error).split(".")[0])

# Output:
# paid: Ann
# waits: ['{"to":"Bob"}']
# paid: Ann
# fails: Model reused a completed tool call ID for a different invocation
