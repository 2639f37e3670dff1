"""A model whose stream has no events gives an answer without content, and the run ends without an error."""

from strands import Agent

from scripted import Scripted

agent = Agent(model=Scripted(None), callback_handler=None)
result = agent("Hi")

print(result.stop_reason, result.message["role"], result.message["content"])

# Output:
# end_turn assistant []
