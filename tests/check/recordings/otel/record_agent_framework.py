"""Records spans of agent-framework-core 1.23.0 and agent-framework-openai 1.17.0, with their own instrumentation."""

import asyncio
from typing import Any

from agent_framework import Agent, Message, tool
from agent_framework.observability import enable_instrumentation
from agent_framework.openai import OpenAIChatCompletionClient
from spans import SCRIPT, SERVER, URL, read, write


async def main() -> None:
    enable_instrumentation(enable_sensitive_data=True)
    client = OpenAIChatCompletionClient(model="mock", api_key="none", base_url=URL)
    tools = [tool(approval_mode="always_require")(read)]
    agent = Agent(client=client, name="reader", instructions="Be brief.", tools=tools)
    session, SERVER.script = agent.create_session(), [*SCRIPT]
    said: Any = "Read."
    while said:
        answer = await agent.run(said, session=session, stream=True).get_final_response()
        asked = [request.to_function_approval_response(True) for request in answer.user_input_requests]
        said = Message("user", asked) if asked else None
    write("approvals_agent_framework.json")


if __name__ == "__main__":
    asyncio.run(main())
