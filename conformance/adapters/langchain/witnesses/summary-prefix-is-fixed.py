"""The message with a summary begins with a fixed sentence, and no parameter changes it."""

import inspect

from langchain.agents import create_agent
from langchain.agents.middleware import SummarizationMiddleware
from langchain_core.messages import AIMessage, HumanMessage

from scripted import Scripted

model, notes = Scripted(AIMessage("done")), Scripted(AIMessage("the notes"))
middleware = SummarizationMiddleware(notes, trigger=("messages", 2), keep=("messages", 1))
create_agent(model, middleware=[middleware]).invoke({"messages": [HumanMessage("One?"), HumanMessage("Two?")]})

print([message.text for message in model.calls[0]])
parameters = inspect.signature(SummarizationMiddleware).parameters
print("parameters for it:", [name for name in parameters if "prefix" in name])

# Output:
# ['Here is a summary of the conversation to date:\n\nthe notes', 'Two?']
# parameters for it: []
