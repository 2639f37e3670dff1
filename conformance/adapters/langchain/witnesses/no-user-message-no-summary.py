"""Older messages without a user message are replaced by a fixed text, and the summarizing model is not called."""

from langchain.agents import create_agent
from langchain.agents.middleware import SummarizationMiddleware
from langchain_core.messages import AIMessage, HumanMessage

from scripted import Scripted

for first in HumanMessage("One."), AIMessage("One."):
    model, notes = Scripted(AIMessage("done")), Scripted(AIMessage("the notes"))
    middleware = SummarizationMiddleware(notes, trigger=("messages", 3), keep=("messages", 1))
    agent = create_agent(model, middleware=[middleware])
    agent.invoke({"messages": [first, AIMessage("Two."), HumanMessage("Three?")]})
    print("first:", first.type, "summaries:", len(notes.calls))
    print([message.text for message in model.calls[0]])

# Output:
# first: human summaries: 1
# ['Here is a summary of the conversation to date:\n\nthe notes', 'Three?']
# first: ai summaries: 0
# ['Here is a summary of the conversation to date:\n\nPrevious conversation was too long to summarize.', 'Three?']
