"""A summarizing model that fails is called three times, and its last error ends the run."""

from langchain.agents import create_agent
from langchain.agents.middleware import SummarizationMiddleware
from langchain_core.messages import AIMessage, HumanMessage

from scripted import Scripted

summarizer = Scripted(RuntimeError("busy 1"), RuntimeError("busy 2"), RuntimeError("busy 3"))
summarization = SummarizationMiddleware(summarizer, trigger=("messages", 2), keep=("messages", 1))
model = Scripted(AIMessage("done"))
try:
    create_agent(model, middleware=[summarization]).invoke({"messages": [HumanMessage("One?"), HumanMessage("Two?")]})
except RuntimeError as error:
    print("RuntimeError:", error)
print("calls of the summarizer:", len(summarizer.calls), "of the model:", len(model.calls))

# Output:
# RuntimeError: busy 3
# calls of the summarizer: 3 of the model: 0
