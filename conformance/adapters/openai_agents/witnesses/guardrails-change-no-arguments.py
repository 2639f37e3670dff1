"""An input guardrail allows or rejects a call, or ends the run: the tool receives the arguments of the model."""

from agents import Agent, Runner, ToolGuardrailFunctionOutput, function_tool, set_tracing_disabled, tool_input_guardrail
from agents.testing import ScriptedModel, assistant_message, function_call

set_tracing_disabled(True)


@tool_input_guardrail
def correct(data) -> ToolGuardrailFunctionOutput:
    """Correct the city."""
    data.context.tool_arguments = '{"city": "Bonn"}'
    return ToolGuardrailFunctionOutput.allow(output_info={"city": "Bonn"})


@function_tool(tool_input_guardrails=[correct])
def weather(city: str) -> str:
    """Return the weather."""
    return f"sunny in {city}"


model = ScriptedModel([[function_call("weather", {"city": "Ulm"}, call_id="1")], [assistant_message("done")]])
Runner.run_sync(Agent("agent", model=model, tools=[weather]), "hi")

print("Ulm ->", model.last_call.input[-1]["output"])

# Output:
# Ulm -> sunny in Ulm
