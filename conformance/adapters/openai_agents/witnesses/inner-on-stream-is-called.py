"""The on_stream callback of an agent as a tool is called also inside an agent as a tool that has no such callback."""

from agents import Agent, Runner, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message, function_call

set_tracing_disabled(True)


def listen(event) -> None:
    if event["event"].type == "run_item_stream_event":
        print("on_stream:", event["agent"].name, event["event"].name)


def calls(name: str) -> ScriptedModel:
    return ScriptedModel([[function_call(name, {"input": "?"}, call_id=name)], [assistant_message("done")]])


guide = Agent("guide", model=ScriptedModel([[assistant_message("Rome")]])).as_tool("guide", "", on_stream=listen)
helper = Agent("helper", model=calls("guide"), tools=[guide]).as_tool("helper", "")
result = Runner.run_sync(Agent("agent", model=calls("helper"), tools=[helper]), "hi")
print("final output:", result.final_output)

# Output:
# on_stream: guide message_output_created
# final output: done
