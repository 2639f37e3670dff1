"""A tool that returns None has the result "None", a text, and the run continues."""

from agents import Agent, Runner, function_tool, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message, function_call

set_tracing_disabled(True)


@function_tool
def weather() -> None:
    """Return nothing."""


model = ScriptedModel([[function_call("weather", {}, call_id="1")], [assistant_message("done")]])
result = Runner.run_sync(Agent("agent", model=model, tools=[weather]), "hi")

print(repr(model.last_call.input[-1]["output"]))
print(result.final_output)

# Output:
# 'None'
# done
