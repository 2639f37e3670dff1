"""A system message of the conversation is summarized; the system prompt of the agent is not."""

from langchain.agents import create_agent
from langchain.agents.middleware import SummarizationMiddleware
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

from scripted import Scripted

conversation = [SystemMessage("Be brief."), HumanMessage("One?"), AIMessage("Two."), HumanMessage("Three?")]
for prompt, messages in (None, conversation), ("Be brief.", conversation[1:]):
    notes = Scripted(AIMessage("notes"))
    summarization = SummarizationMiddleware(notes, trigger=("messages", 2), keep=("messages", 1))
    model = Scripted(AIMessage("done"))
    create_agent(model, system_prompt=prompt, middleware=[summarization]).invoke({"messages": messages})
    print([(message.type, message.text.splitlines()[-1]) for message in model.calls[0]])

# Output:
# [('human', 'notes'), ('human', 'Three?')]
# [('system', 'Be brief.'), ('human', 'notes'), ('human', 'Three?')]
