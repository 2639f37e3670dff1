"""The result of an agent as a tool is the agent's answer with a newline at its end."""

from strands import Agent

from scripted import Scripted, call, shown

helper = Agent(model=Scripted("It is in Rome."), name="helper", callback_handler=None)
agent = Agent(model=Scripted([call("helper")], "done"), tools=[helper], callback_handler=None)
agent("Where is it?")

print(helper.messages[-1]["content"][0]["text"])
print(*shown(agent.messages), sep="\n")

# Output:
# It is in Rome.
# user: 'Where is it?'
# assistant: helper()
# user: helper -> 'It is in Rome.\n'
# assistant: 'done'
