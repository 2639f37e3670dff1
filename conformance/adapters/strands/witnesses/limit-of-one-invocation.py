"""The turns before an interrupt do not count against the limit of the invocation that resumes the run."""

from strands import Agent, ToolContext, tool

from scripted import Scripted, call


@tool(context=True)
def ask(tool_context: ToolContext) -> str:
    return tool_context.interrupt("approval")


@tool
def weather() -> str:
    return "sunny"


model = Scripted([call("weather")], [call("ask")], "done")
agent = Agent(model=model, tools=[ask, weather], callback_handler=None)
(interrupt,) = agent("Hi", limits={"turns": 2}).interrupts
response = {"interruptResponse": {"interruptId": interrupt.id, "response": "yes"}}
result = agent([response], limits={"turns": 2})

print(len(model.requests), "model calls:", result.stop_reason)

# Output:
# 3 model calls: end_turn
