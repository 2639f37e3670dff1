"""An output guardrail receives the message for a failed tool, and is not called if the failure ends the run."""

from agents import Agent, Runner, ToolGuardrailFunctionOutput, ToolOutputGuardrail, function_tool, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message, function_call

set_tracing_disabled(True)


def recover(data) -> ToolGuardrailFunctionOutput:
    print("guardrail:", data.output.partition(".")[0])
    return ToolGuardrailFunctionOutput.reject_content("unknown")


def weather() -> str:
    """Fail."""
    raise ConnectionError("offline")


for options in ({}, {"failure_error_function": None}):
    tool = function_tool(weather, tool_output_guardrails=[ToolOutputGuardrail(recover)], **options)
    model = ScriptedModel([[function_call("weather", {}, call_id="1")], [assistant_message("done")]])
    try:
        Runner.run_sync(Agent("agent", model=model, tools=[tool]), "hi")
        end = "the model receives " + model.last_call.input[-1]["output"]
    except Exception as error:
        end = f"{type(error).__name__}: {error}"
    print(f"{options}: {end}")

# Output:
# guardrail: An error occurred while running the tool
# {}: the model receives unknown
# {'failure_error_function': None}: UserError: Error running tool weather: offline
