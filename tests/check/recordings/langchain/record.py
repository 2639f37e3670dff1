"""Records message histories with langchain 1.5.2, langchain-core 1.8.3, langgraph 1.2.24 and a scripted model."""

import json
from itertools import accumulate
from pathlib import Path

from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware, SummarizationMiddleware
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.load import dumpd
from langchain_core.messages import AIMessage, message_to_dict, messages_to_dict
from langchain_core.tools import ToolException, tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from pydantic_core import to_jsonable_python

THREAD = {"configurable": {"thread_id": "1"}}
THOUGHT = [{"type": "thinking", "thinking": "I need the weather.", "signature": "c2lnbmVk"}]


class Scripted(GenericFakeChatModel):
    def bind_tools(self, tools, **_):
        return self


@tool
def weather(city: str) -> str:
    """Say the weather of a city."""
    if city == "Atlantis":
        raise ToolException("there is no such city")
    return f"sunny in {city}"


def calling(*cities, content=""):
    calls = [{"name": "weather", "args": {"city": city}, "id": f"call_{city.lower()}"} for city in cities]
    return AIMessage(content, tool_calls=calls)


def talk(answers, *inputs, middleware=()):
    model = Scripted(messages=iter(answers))
    agent = create_agent(model, [weather], checkpointer=InMemorySaver(), middleware=middleware)
    states = [agent.invoke({"messages": each} if isinstance(each, str) else each, THREAD) for each in inputs]
    return states[-1]["messages"], agent.get_state(THREAD)


def save(name, *values):
    lines = [json.dumps(to_jsonable_python(value), indent=None if len(values) > 1 else 1) for value in values]
    ours = "\n".join([*lines, ""]).replace("Here is a summary of the conversation to date:", "Summary:")
    (Path(__file__).parent / name).write_text(ours)


weather.handle_tool_error = True
both = calling("Rome", "Atlantis", content="I look it up.")
said, _ = talk([both, "Sunny in Rome.", calling("Oslo"), "Sunny."], "Rome and Atlantis?", "And Oslo?")
save("parallel_calls.json", messages_to_dict(said))
asking = HumanInTheLoopMiddleware(interrupt_on={"weather": True}, description_prefix="Please decide")
refusal = Command(resume={"decisions": [{"type": "reject", "message": "not this city"}]})
answers = [calling("Rome", content=THOUGHT), calling("Oslo", "Bergen")]
save("approval_waits.json", talk(answers, "How is the weather?", refusal, middleware=[asking])[1]._asdict())
brief = Scripted(messages=iter(["It was sunny."]))
shortening = SummarizationMiddleware(brief, trigger=("messages", 6), keep=("messages", 4))
answers = [calling("Rome"), "Sunny.", calling("Oslo", content=THOUGHT), "Sunny too."]
save("summary.json", {"messages": dumpd(talk(answers, "Rome?", "Oslo?", middleware=[shortening])[0])})
said, _ = talk([calling("Rome"), "Sunny."], "Rome?")
*_, streamed = accumulate(Scripted(messages=iter(["It is sunny in Rome."])).stream(said[:-1]))
save("streamed.jsonl", *map(message_to_dict, [*said[:-1], streamed]))
