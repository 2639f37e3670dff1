"""A fraction of the context size is rounded down to whole tokens: 12 tokens reach 0.54 of 24, which is 12.96."""

from langchain.agents import create_agent
from langchain.agents.middleware import SummarizationMiddleware
from langchain_core.messages import AIMessage, HumanMessage

from scripted import Scripted


def words(messages):
    return sum(len(message.text.split()) for message in messages)


messages = [HumanMessage("one two three four five six"), HumanMessage("seven eight nine ten eleven twelve")]
for fraction in 0.54, 0.55:
    notes = Scripted(AIMessage("notes"), profile={"max_input_tokens": 24})
    middleware = SummarizationMiddleware(
        notes, trigger=("fraction", fraction), keep=("messages", 1), token_counter=words
    )
    create_agent(Scripted(AIMessage("done")), middleware=[middleware]).invoke({"messages": messages})
    print("limit:", round(fraction * 24, 2), "tokens:", words(messages), "summaries:", len(notes.calls))

# Output:
# limit: 12.96 tokens: 12 summaries: 1
# limit: 13.2 tokens: 12 summaries: 0
