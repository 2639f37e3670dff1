"""An AfterInvocationEvent hook is called after a failed run and an interrupted run, too; its result then says so."""

from strands import Agent, ToolContext, tool
from strands.hooks import AfterInvocationEvent

from scripted import Scripted, call


@tool(context=True)
def ask(tool_context: ToolContext) -> str:
    return tool_context.interrupt("approval")


def ended(event: AfterInvocationEvent) -> None:
    print("ended:", event.result and event.result.stop_reason)


failing = Agent(model=Scripted(ValueError("overload")), callback_handler=None, hooks=[ended])
try:
    failing("Hi")
except ValueError as error:
    print("failed:", error)

asking = Agent(model=Scripted([call("ask")]), tools=[ask], callback_handler=None, hooks=[ended])
asking("Hi")

# Output:
# ended: None
# failed: overload
# ended: interrupt
