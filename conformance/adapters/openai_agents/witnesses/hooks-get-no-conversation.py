"""The hook after a model call receives the answer alone, and the hook after the agent no message of the turns."""

from agents import Agent, RunHooks, Runner, function_tool, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message, function_call

set_tracing_disabled(True)


class Hooks(RunHooks):
    async def on_llm_start(self, context, agent, system_prompt, input_items) -> None:
        print("on_llm_start:", [item.get("type", item.get("role")) for item in input_items])

    async def on_llm_end(self, context, agent, response) -> None:
        print("on_llm_end:", [item.type for item in response.output])

    async def on_agent_end(self, context, agent, output) -> None:
        print("on_agent_end:", context.turn_input, output)


weather = function_tool(lambda: "sunny", name_override="weather")
model = ScriptedModel([[function_call("weather", {}, call_id="1")], [assistant_message("done")]])
Runner.run_sync(Agent("agent", model=model, tools=[weather]), "hi", hooks=Hooks())

# Output:
# on_llm_start: ['user']
# on_llm_end: ['function_call']
# on_llm_start: ['user', 'function_call', 'function_call_output']
# on_llm_end: ['message']
# on_agent_end: [{'content': 'hi', 'role': 'user'}] done
