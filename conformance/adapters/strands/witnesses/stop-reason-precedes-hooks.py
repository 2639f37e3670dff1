"""An AfterModelCallEvent hook changes the answer, and the loop continues as the model's own stop reason says."""

from strands import Agent, tool
from strands.hooks import AfterModelCallEvent

from scripted import Scripted, call


@tool
def weather() -> str:
    print("weather is called")
    return "sunny"


def drop_calls(event: AfterModelCallEvent) -> None:
    event.stop_response.message["content"] = [{"text": "No tools, please."}]


def add_call(event: AfterModelCallEvent) -> None:
    use = {"toolUseId": "1", "name": "weather", "input": {}}
    event.stop_response.message["content"] = [{"toolUse": use}]


model = Scripted([call("weather")], "done")
Agent(model=model, tools=[weather], callback_handler=None, hooks=[drop_calls])("Hi")
print("without the call:", len(model.requests), "model calls")

model = Scripted("done")
Agent(model=model, tools=[weather], callback_handler=None, hooks=[add_call])("Hi")
print("with a call:", len(model.requests), "model call")

# Output:
# without the call: 2 model calls
# with a call: 1 model call
