"""Of three calls, the first and the third wait for an approval: the next request has the result of the second first."""

import asyncio

import agent_framework as af

from scripted import Scripted, calls, says, shown


@af.function_middleware
async def ask(context: af.FunctionInvocationContext, call_next) -> None:
    name, metadata = context.function.name, context.metadata
    if name != "t2" and "approval_response" not in metadata:
        call = af.Content.from_function_call(metadata["call_id"], name, arguments={})
        call.id = metadata["function_call_occurrence_id"]
        raise af.UserInputRequiredException([af.Content.from_function_approval_request(call.id, call)])
    await call_next()


async def run(asks: str, middleware: list, **mode: str) -> None:
    tools = [af.FunctionTool(name=n, func=lambda n=n: n, **mode if n != "t2" else {}) for n in ("t1", "t2", "t3")]
    model, session = Scripted(calls("t1", "t2", "t3"), says("done")), af.AgentSession()
    agent = af.Agent(model, tools=tools, middleware=middleware)
    response = await agent.run("hi", session=session)
    approved = [request.to_function_approval_response(True) for request in response.user_input_requests]
    await agent.run(af.Message("user", approved), session=session)
    print(asks, shown(message for message in model.requests[1] if message.role == "tool"))


asyncio.run(run("UserInputRequiredException:", [ask]))
asyncio.run(run("approval_mode:", [], approval_mode="always_require"))

# Output:
# UserInputRequiredException: [('tool', 't2'), ('tool', 't1', 't3')]
# approval_mode: [('tool', 't1', 't2', 't3')]
