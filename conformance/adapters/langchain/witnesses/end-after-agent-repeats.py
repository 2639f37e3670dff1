"""A jump to the end from an after-agent hook leads to the same hook again, until the recursion limit."""

from langchain.agents import create_agent
from langchain.agents.middleware import after_agent, before_model
from langchain_core.messages import AIMessage

from scripted import Scripted

calls = []


def stop(state, runtime):
    calls.append("stop")
    return {"jump_to": "end"}


for hook in before_model, after_agent:
    calls.clear()
    agent = create_agent(Scripted(AIMessage("done")), middleware=[hook(stop, can_jump_to=["end"])])
    try:
        agent.invoke({"messages": "hi"}, {"recursion_limit": 10})
        print(hook.__name__, len(calls))
    except Exception as error:
        print(hook.__name__, len(calls), type(error).__name__)

# Output:
# before_model 1
# after_agent 9 GraphRecursionError
