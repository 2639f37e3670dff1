"""A summarizing model that answers only white space still replaces the older messages."""

from langchain.agents import create_agent
from langchain.agents.middleware import SummarizationMiddleware
from langchain_core.messages import AIMessage, HumanMessage

from scripted import Scripted

conversation = [HumanMessage("I am Ann."), AIMessage("Hello, Ann."), HumanMessage("Who am I?")]
summarization = SummarizationMiddleware(Scripted(AIMessage(" \n")), trigger=("messages", 2), keep=("messages", 1))
model = Scripted(AIMessage("done"))
create_agent(model, middleware=[summarization]).invoke({"messages": conversation})

print([message.text for message in model.calls[0]])

# Output:
# ['Here is a summary of the conversation to date:\n\n', 'Who am I?']
