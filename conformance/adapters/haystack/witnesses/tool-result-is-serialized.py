"""If a tool ends the run of a sub-agent, the sub-agent's result is the serialized message of the tool."""

from haystack.components.agents import Agent
from haystack.components.generators.chat import MockChatGenerator
from haystack.tools import AgentTool

from scripted import ASKED, calls, weather

for conditions in (["text"], ["text", "weather"]):
    model = MockChatGenerator(responses=[calls("weather"), "It is sunny."])
    helper = AgentTool(
        Agent(chat_generator=model, tools=[weather], exit_conditions=conditions), name="helper", description="Helps."
    )
    outer = MockChatGenerator(responses=[calls("helper", messages=[{"role": "user", "content": "Rome?"}]), "done"])
    result = Agent(chat_generator=outer, tools=[helper]).run(ASKED)["messages"][2].tool_call_result.result
    print(f"{conditions} -> {result:.85}")

# Output:
# ['text'] -> It is sunny.
# ['text', 'weather'] -> {"role": "tool", "meta": {}, "name": null, "content": [{"tool_call_result": {"result"
