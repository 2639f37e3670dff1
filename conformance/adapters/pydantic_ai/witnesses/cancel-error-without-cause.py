"""The error of a cancelled run has the messages and the ids of the run, and not how the run was cancelled."""

from pydantic_ai import Agent, ModelResponse, RunCancelled, RunContext, ToolCallPart
from pydantic_ai.models.function import FunctionModel

agent = Agent(FunctionModel(lambda messages, info: ModelResponse([ToolCallPart("stop")])))


@agent.tool
def stop(ctx: RunContext) -> str:
    ctx.cancel()
    return "ok"


try:
    agent.run_sync("hi")
except RunCancelled as error:
    names = [name for name in dir(error) if not name.startswith("_") and not hasattr(Exception, name)]
    print("fields:", *[name for name in names if not callable(getattr(error, name))])
    print("text:", error)

# Output:
# fields: conversation_id message metadata response run_id timestamp
# text: The agent run was cancelled.
