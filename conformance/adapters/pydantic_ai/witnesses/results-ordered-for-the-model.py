"""A model receives tool results in the order of their calls; a resumed run adds its results to the messages last."""

from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

answers = iter([ModelResponse([ToolCallPart("pay"), ToolCallPart("look")]), ModelResponse([TextPart("done")])])


def results_in(messages: list[ModelMessage]) -> list[str]:
    return [part.tool_name for message in messages for part in message.parts if isinstance(part, ToolReturnPart)]


def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    print("the model receives:", results_in(messages))
    return next(answers)


agent = Agent(FunctionModel(model), output_type=[str, DeferredToolRequests])


@agent.tool_plain(requires_approval=True)
def pay() -> str:
    return "paid"


@agent.tool_plain
def look() -> str:
    return "seen"


first = agent.run_sync("hi")
results = DeferredToolResults(approvals={call.tool_call_id: True for call in first.output.approvals})
second = agent.run_sync(message_history=first.all_messages(), deferred_tool_results=results)
print("the messages have: ", results_in(second.all_messages()))

# Output:
# the model receives: []
# the model receives: ['pay', 'look']
# the messages have:  ['look', 'pay']
