"""A new prompt is refused while a tool call waits for approval, and accepted with a result or a repaired history."""

from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults, UserError
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, repair_messages
from pydantic_ai.models.function import FunctionModel

answers = iter([ModelResponse([ToolCallPart("pay", tool_call_id="1")]), *[ModelResponse([TextPart("done")])] * 2])
model = FunctionModel(lambda messages, info: next(answers))
agent = Agent(model, output_type=[str, DeferredToolRequests])


@agent.tool_plain(requires_approval=True)
def pay() -> str:
    return "paid"


history = agent.run_sync("hi").all_messages()
try:
    agent.run_sync("never mind", message_history=history)
except UserError as error:
    print(str(error).split(".")[0])
denied = DeferredToolResults(approvals={"1": False})
print("denied:", agent.run_sync("never mind", message_history=history, deferred_tool_results=denied).output)
print("repaired:", agent.run_sync("never mind", message_history=repair_messages(history)).output)

# Output:
# Cannot provide a new user prompt when the message history contains unprocessed tool calls
# denied: done
# repaired: done
