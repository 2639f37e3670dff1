"""A call of an agent as a tool that waits for approval inside: guardrails and hooks are called once for both runs."""

from agents import Agent, RunHooks, Runner, function_tool, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message, function_call
from agents.tool_guardrails import ToolGuardrailFunctionOutput, ToolInputGuardrail, ToolOutputGuardrail

set_tracing_disabled(True)


def check(data) -> ToolGuardrailFunctionOutput:
    print(" ", type(data).__name__)
    return ToolGuardrailFunctionOutput.allow()


class Hooks(RunHooks):
    async def on_tool_start(self, context, agent, tool) -> None:
        print("  on_tool_start")


delete = function_tool(lambda: "deleted", name_override="delete", needs_approval=True)
helper_model = ScriptedModel([[function_call("delete", {}, call_id="1")], [assistant_message("ok")]])
helper = Agent("helper", model=helper_model, tools=[delete]).as_tool("helper", "")
helper.tool_input_guardrails, helper.tool_output_guardrails = [ToolInputGuardrail(check)], [ToolOutputGuardrail(check)]
model = ScriptedModel([[function_call("helper", {"input": "?"}, call_id="2")], [assistant_message("done")]])
agent = Agent("agent", model=model, tools=[helper])

print("run")
result = Runner.run_sync(agent, "hi", hooks=Hooks())
state = result.to_state()
state.approve(result.interruptions[0])
print("resumed run")
Runner.run_sync(agent, state, hooks=Hooks())

# Output:
# run
#   ToolInputGuardrailData
#   on_tool_start
# resumed run
#   ToolOutputGuardrailData
