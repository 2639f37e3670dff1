"""A call that waits for approval has entered no guardrail; an option calls the input guardrail before and after it."""

from agents import Agent, RunConfig, Runner, ToolExecutionConfig, function_tool, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message, function_call
from agents.tool_guardrails import ToolGuardrailFunctionOutput, ToolInputGuardrail, ToolOutputGuardrail

set_tracing_disabled(True)
called = []


def check(data) -> ToolGuardrailFunctionOutput:
    called.append(type(data).__name__)
    return ToolGuardrailFunctionOutput.allow()


async def needs_approval(context, args, call_id) -> bool:
    called.append("needs_approval")
    return True


for early in (False, True):
    delete = function_tool(lambda: "deleted", name_override="delete", needs_approval=needs_approval)
    delete.tool_input_guardrails = [ToolInputGuardrail(check)]
    delete.tool_output_guardrails = [ToolOutputGuardrail(check)]
    model = ScriptedModel([[function_call("delete", {}, call_id="1")], [assistant_message("done")]])
    agent = Agent("agent", model=model, tools=[delete])
    config = RunConfig(tool_execution=ToolExecutionConfig(pre_approval_tool_input_guardrails=early))
    state = Runner.run_sync(agent, "hi", run_config=config).to_state()
    called.append("approve")
    state.approve(state.get_interruptions()[0])
    Runner.run_sync(agent, state, run_config=config)
    print(f"{early=}:", *called)
    called.clear()

# Output:
# early=False: needs_approval approve ToolInputGuardrailData ToolOutputGuardrailData
# early=True: needs_approval ToolInputGuardrailData approve ToolInputGuardrailData ToolOutputGuardrailData
