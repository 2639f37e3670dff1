"""An agent without tools ends after an answer with tool calls, unless a middleware wraps tool calls."""

from langchain.agents import create_agent
from langchain.agents.middleware import wrap_tool_call
from langchain_core.messages import AIMessage

from scripted import Scripted, call


@wrap_tool_call
def wrapper(request, handler):
    return handler(request)


for middleware in [], [wrapper]:
    model = Scripted(AIMessage("I look.", tool_calls=[call("search")]), AIMessage("done"))
    state = create_agent(model, middleware=middleware).invoke({"messages": "hi"})
    print(len(model.calls), [(message.type, message.text) for message in state["messages"]])

# Output:
# 1 [('human', 'hi'), ('ai', 'I look.')]
# 2 [('human', 'hi'), ('ai', 'I look.'), ('tool', 'Error: search is not a valid tool, try one of [].'), ('ai', 'done')]
