"""An earlier answer without text reaches the model as [blank text]; the agent's conversation keeps the empty one."""

from strands import Agent

from scripted import Scripted, shown

model = Scripted("Fine.")
agent = Agent(model=model, callback_handler=None)
agent(
    [
        {"role": "user", "content": [{"text": "Hi"}]},
        {"role": "assistant", "content": [{"text": ""}]},
        {"role": "user", "content": [{"text": "How are you?"}]},
    ]
)

print("sent:", *shown(model.requests[0]))
print("kept:", *shown(agent.messages[:3]))

# Output:
# sent: user: 'Hi' assistant: '[blank text]' user: 'How are you?'
# kept: user: 'Hi' assistant: '' user: 'How are you?'
