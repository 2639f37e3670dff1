"""A handler with a before-model hook and a wrapper around tools: the model never receives an e-mail address.

Run it:

    python examples/handler.py
"""

import asyncio
import re

from msgspec.structs import replace

from loopspec_reference import (
    Agent,
    Handler,
    Message,
    ModelContext,
    State,
    ToolCall,
    ToolContext,
    ToolEndpoint,
    ToolInfo,
    ToolRequest,
    get_run_local_value,
    set_run_local_value,
)
from printing import print_event, print_message
from scripted import ScriptedModel

ADDRESS = re.compile(r"[\w.+-]+@[\w.-]*\w")


class HideAddresses(Handler[Message]):
    """Replaces each e-mail address by a placeholder before the model call, and restores it for the tools.

    The addresses are a run-local value. Two runs at the same time do not share them, and a resumed run still has them.
    """

    async def before_model(self, state: State[Message], context: ModelContext[Message]) -> State[Message]:
        """Return the state without addresses. The run keeps the returned state."""
        addresses: dict[str, str] = dict(get_run_local_value("addresses")[0] or {})

        def placeholder(found: re.Match[str]) -> str:
            return addresses.setdefault(found[0], f"[address {len(addresses) + 1}]")

        messages = tuple(replace(m, content=ADDRESS.sub(placeholder, m.content)) for m in state.messages)
        set_run_local_value("addresses", addresses)
        return replace(state, messages=messages)

    def wrap_tool(self, endpoint: ToolEndpoint, context: ToolContext) -> ToolEndpoint:
        """Return an endpoint that calls the inner endpoint with the addresses in its arguments."""

        async def with_addresses(request: ToolRequest[str]) -> str:
            arguments = request.arguments
            for address, placeholder in (get_run_local_value("addresses")[0] or {}).items():
                arguments = arguments.replace(placeholder, address)
            return await endpoint(replace(request, arguments=arguments))

        return with_addresses


class PrintBeforeModel(Handler[Message]):
    """Prints the conversation before each model call."""

    async def before_model(self, state: State[Message], context: ModelContext[Message]) -> State[Message]:
        """Return the state unchanged."""
        print("-- the model receives")
        for message in state.messages:
            print_message(message)
        return state


class SendReport:
    """Prints its arguments instead of sending anything."""

    info = ToolInfo(
        "send_report",
        "Sends the report.",
        {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]},
    )

    async def invoke(self, context: ToolContext, request: ToolRequest[str]) -> str:
        """Return a confirmation, which contains the address again."""
        print(f"-- the tool receives\n{request.arguments}")
        return f"sent: {request.arguments}"


async def main() -> None:
    """Run the agent once. Handlers run in the order of the list, so the second sees what the first returns."""
    model = ScriptedModel(
        Message.assistant("", [ToolCall("call-1", "send_report", '{"to": "[address 1]"}')]),
        Message.assistant("The report is sent."),
    )
    agent = Agent(
        name="assistant",
        model=model,
        message_type=Message,
        tools=[SendReport()],
        handlers=[HideAddresses(), PrintBeforeModel()],
    )
    events = [event async for event in agent.run([Message.user("Send the report to ada@example.com.")])]
    print("-- the caller receives")
    for event in events:
        print_event(event)


if __name__ == "__main__":
    asyncio.run(main())
