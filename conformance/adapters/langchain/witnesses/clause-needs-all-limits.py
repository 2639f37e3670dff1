"""Several limits in one trigger of a summarization are valid: it summarizes when all of them are reached."""

from langchain.agents import create_agent
from langchain.agents.middleware import SummarizationMiddleware
from langchain_core.messages import AIMessage, HumanMessage

from scripted import Scripted

messages = [HumanMessage("one two three"), AIMessage("four"), HumanMessage("five six")]


def words(messages):
    return sum(len(message.text.split()) for message in messages)


for trigger in {"fraction": 0.5, "tokens": 30}, [("fraction", 0.5), ("tokens", 30)], {"messages": 3, "tokens": 6}:
    notes = Scripted(AIMessage("notes"), profile={"max_input_tokens": 12})
    middleware = SummarizationMiddleware(notes, trigger=trigger, keep=("messages", 1), token_counter=words)
    create_agent(Scripted(AIMessage("done")), middleware=[middleware]).invoke({"messages": messages})
    print(trigger, "summaries:", len(notes.calls))

# Output:
# {'fraction': 0.5, 'tokens': 30} summaries: 0
# [('fraction', 0.5), ('tokens', 30)] summaries: 1
# {'messages': 3, 'tokens': 6} summaries: 1
