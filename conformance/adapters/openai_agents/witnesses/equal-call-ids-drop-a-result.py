"""A result of an earlier run, which is in the input of a run, is dropped if a call of the run has the same id."""

from agents import Agent, Runner, function_tool, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message, function_call

set_tracing_disabled(True)
results = iter(["rain", "sun"])


@function_tool
def weather() -> str:
    """Return the weather."""
    return next(results)


call = function_call("weather", {}, call_id="1")
model = ScriptedModel([[call], [assistant_message("It rains.")], [call], [assistant_message("The sun shines.")]])
agent = Agent("agent", model=model, tools=[weather])
first = Runner.run_sync(agent, "Now?")
Runner.run_sync(agent, [*first.to_input_list(), {"role": "user", "content": "And now?"}])

for request in model.calls[2:]:
    print([item.get("output") or item.get("name") or item["role"] for item in request.input])

# Output:
# ['user', 'weather', 'rain', 'assistant', 'user']
# ['user', 'weather', 'assistant', 'user', 'sun']
