"""A jump from an after-agent hook to the model continues the run."""

from langchain.agents import create_agent
from langchain.agents.middleware import after_agent
from langchain_core.messages import AIMessage

from scripted import Scripted


@after_agent(can_jump_to=["model"])
def review(state, runtime):
    print("review", state["messages"][-1].text)
    return {"jump_to": "model"} if state["messages"][-1].text == "draft" else None


state = create_agent(Scripted(AIMessage("draft"), AIMessage("done")), middleware=[review]).invoke({"messages": "hi"})

print([(message.type, message.text) for message in state["messages"]])

# Output:
# review draft
# review done
# [('human', 'hi'), ('ai', 'draft'), ('ai', 'done')]
