"""The argument of an agent as a tool has the name input; other arguments reach the sub-agent as an empty message."""

from strands import Agent

from scripted import Scripted, call, shown

helper = Agent(model=Scripted("one", "two"), name="helper", callback_handler=None)
model = Scripted([call("helper", arguments='{"input": "Rome?"}')], [call("helper", arguments='{"request": "?"}')], "ok")
agent = Agent(model=model, tools=[helper], callback_handler=None)
agent("Hi")

print(*model.tools[0]["inputSchema"]["json"]["properties"])
print(*(shown(request) for request in helper.model.requests), sep="\n")

# Output:
# input
# ["user: 'Rome?'"]
# ["user: ''"]
