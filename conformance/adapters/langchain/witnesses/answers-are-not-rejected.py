"""ModelRetryMiddleware decides by the error of an attempt: no option receives an answer, which could reject it."""

from langchain.agents import create_agent
from langchain.agents.middleware import ModelRetryMiddleware
from langchain_core.messages import AIMessage

from scripted import Scripted


def decide(*args):
    print("retry_on receives", args)
    return True


model = Scripted(ConnectionError("busy"), AIMessage("maybe"), AIMessage("yes"))
retry = ModelRetryMiddleware(max_retries=3, retry_on=decide, initial_delay=0)
state = create_agent(model, middleware=[retry]).invoke({"messages": "hi"})
print("model calls:", len(model.calls), "answer:", state["messages"][-1].text)

# Output:
# retry_on receives (ConnectionError('busy'),)
# model calls: 2 answer: maybe
