"""The hooks for tools are not called for a call that a guardrail or a person rejects; the model receives its result."""

from agents import Agent, RunHooks, Runner, function_tool, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message, function_call
from agents.tool_guardrails import ToolGuardrailFunctionOutput, ToolInputGuardrail

set_tracing_disabled(True)


def guard(data) -> ToolGuardrailFunctionOutput:
    if "Ulm" in data.context.tool_arguments:
        return ToolGuardrailFunctionOutput.allow()
    return ToolGuardrailFunctionOutput.reject_content("denied")


async def asks(context, arguments, call_id) -> bool:
    return arguments["city"] == "Rome"


@function_tool(tool_input_guardrails=[ToolInputGuardrail(guard)], needs_approval=asks)
def weather(city: str) -> str:
    """Return the weather."""
    return f"sunny in {city}"


class Hooks(RunHooks):
    async def on_tool_end(self, context, agent, tool, result) -> None:
        print("hook:", result)


calls = [function_call("weather", {"city": city}, call_id=city) for city in ("Ulm", "Bonn", "Rome")]
model = ScriptedModel([calls, [assistant_message("done")]])
agent = Agent("agent", model=model, tools=[weather])
result = Runner.run_sync(agent, "hi", hooks=Hooks())
state = result.to_state()
state.reject(result.interruptions[0], rejection_message="not today")
Runner.run_sync(agent, state, hooks=Hooks())
print("model:", [item["output"] for item in model.last_call.input[-3:]])

# Output:
# hook: sunny in Ulm
# model: ['sunny in Ulm', 'denied', 'not today']
