"""A summary replaces a tool call whose result is kept, if the cut is not directly before that result."""

from langchain.agents import create_agent
from langchain.agents.middleware import SummarizationMiddleware
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from scripted import Scripted, call

asked = AIMessage("", tool_calls=[call("weather")])
result = ToolMessage("sunny", tool_call_id="weather")
conversation = [HumanMessage("Hello."), asked, HumanMessage("Are you there?"), result, HumanMessage("Rome?")]

for keep in 2, 3:
    model = Scripted(AIMessage("done"))
    middleware = SummarizationMiddleware(Scripted(AIMessage("notes")), trigger=("messages", 5), keep=("messages", keep))
    create_agent(model, middleware=[middleware]).invoke({"messages": conversation})
    calls = [one for message in model.calls[0] if isinstance(message, AIMessage) for one in message.tool_calls]
    print("keeps", keep, "calls:", len(calls), [message.type for message in model.calls[0]])

# Output:
# keeps 2 calls: 1 ['human', 'ai', 'human', 'tool', 'human']
# keeps 3 calls: 0 ['human', 'human', 'tool', 'human']
