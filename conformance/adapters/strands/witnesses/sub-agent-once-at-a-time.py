"""Of two calls of one sub-agent in an answer, one fails: an agent performs one run at a time."""

from strands import Agent

from scripted import Scripted, call, shown

model = Scripted("Rome is fine.", "Oslo is fine.")
helper = Agent(model=model, name="helper", callback_handler=None)
calls = [call("helper", "1", '{"input": "Rome?"}'), call("helper", "2", '{"input": "Oslo?"}')]
agent = Agent(model=Scripted(calls, "done"), tools=[helper], callback_handler=None)
agent("Hi")

print(len(model.requests), "model call of the sub-agent")
print(*shown([agent.messages[2]]), sep="\n")

# Output:
# 1 model call of the sub-agent
# user: 1 -> 'Rome is fine.\n'
# user: 2 -> "Agent 'helper' is already processing a request"
