"""After an interrupt, the results of the calls that were complete precede those of the interrupted calls."""

from strands import Agent, ToolContext, tool

from scripted import Scripted, call, shown


@tool(context=True)
def ask(tool_context: ToolContext) -> str:
    return tool_context.interrupt("approval")


@tool
def weather() -> str:
    return "sunny"


model = Scripted([call("ask"), call("weather")], "done")
agent = Agent(model=model, tools=[ask, weather], callback_handler=None)
(interrupt,) = agent("Hi").interrupts
agent([{"interruptResponse": {"interruptId": interrupt.id, "response": "yes"}}])

print(*shown(model.requests[1]), sep="\n")

# Output:
# user: 'Hi'
# assistant: ask()
# assistant: weather()
# user: weather -> 'sunny'
# user: ask -> 'yes'
