"""LangChain's `create_agent` with a model that calls a tool until it answers."""

from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool
from timing import report


@tool
async def echo(x: str) -> str:
    """Return the argument."""
    return x


class CallsTool(BaseChatModel):
    """A model that calls the tool in every call except the last."""

    left: int

    @property
    def _llm_type(self):
        return "asking"

    def bind_tools(self, tools, **kwargs):
        return self

    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        self.left -= 1
        calls = [{"id": f"call {self.left}", "name": "echo", "args": {"x": "1"}}] if self.left else []
        message = AIMessage(content="" if calls else "done", tool_calls=calls)
        return ChatResult(generations=[ChatGeneration(message=message)])

    async def _agenerate(self, messages, stop=None, run_manager=None, **kwargs):
        return self._generate(messages)


class Idle(AgentMiddleware):
    """A middleware whose before-model hook does nothing."""

    def __init__(self, number):
        super().__init__()
        self._number = number

    @property
    def name(self):
        return f"Idle{self._number}"

    async def abefore_model(self, state, runtime):
        return None


async def run(calls, handlers):
    agent = create_agent(CallsTool(left=calls), [echo], middleware=[Idle(n) for n in range(handlers)])
    result = await agent.ainvoke({"messages": [HumanMessage("go")]}, {"recursion_limit": 100_000})
    assert len(result["messages"]) == 2 * calls


report(run)
