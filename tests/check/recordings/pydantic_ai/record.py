"""Records message histories with pydantic-ai 2.68.0 and a scripted model."""

import asyncio
from contextlib import suppress
from pathlib import Path

from pydantic import BaseModel
from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults, ModelRetry, ToolDenied, capture_run_messages
from pydantic_ai.messages import ModelMessagesTypeAdapter, ModelResponse, TextPart, ThinkingPart, ToolCallPart
from pydantic_ai.models.function import DeltaToolCall, FunctionModel


class Report(BaseModel):
    city: str


def weather(city: str) -> str:
    if city == "Atlantis":
        raise ModelRetry("there is no such city")
    if city == "Pompeii":
        raise OSError("the weather station is lost")
    return f"sunny in {city}"


def calling(name, *cities):
    return [ToolCallPart(name, {"city": city}, f"call_{city.lower()}") for city in cities]


async def streaming(messages, info):
    name = "weather" if len(messages) == 1 else "final_result"
    yield {0: DeltaToolCall(name, '{"city": ', tool_call_id=f"call_{len(messages)}")}
    yield {0: DeltaToolCall(json_args='"Rome"}')}


def agent(*answers, **options):
    script = iter(answers)
    made = Agent(FunctionModel(lambda *_: ModelResponse(next(script)), stream_function=streaming), **options)
    made.tool_plain(weather)
    made.tool_plain(lambda city: f"a house in {city}", name="buy", requires_approval=True, description="Buy a house.")
    return made


def save(name, result):
    data = ModelMessagesTypeAdapter.dump_json(result.all_messages(), indent=1)
    (Path(__file__).parent / name).write_bytes(data + b"\n")


thought = ThinkingPart("I need the weather.", signature="c2lnbmVk", provider_name="anthropic")
both = [thought, *calling("weather", "Rome", "Atlantis")]
talking = agent(both, [TextPart("Sunny.")], [TextPart("Bye.")], instructions="Be short.")
first = talking.run_sync("How is the weather in Rome and in Atlantis?")
save("parallel_calls.json", talking.run_sync("Thanks", message_history=first.all_messages()))
mixed = [*calling("weather", "Rome"), *calling("buy", "Oslo", "Bergen")]
buying = agent(mixed, [TextPart("Bought.")], output_type=[str, DeferredToolRequests])
waits = buying.run_sync("Buy a house in Oslo or in Bergen.")
decided = DeferredToolResults(approvals={"call_oslo": True, "call_bergen": ToolDenied("one is enough")})
save("approvals.json", buying.run_sync(message_history=waits.all_messages(), deferred_tool_results=decided))
with capture_run_messages() as crashed, suppress(OSError):
    agent(calling("weather", "Rome", "Pompeii")).run_sync("How is the weather in Pompeii?")
save("after_a_crash.json", agent([TextPart("It is lost.")]).run_sync("And now?", message_history=crashed))
streamed = agent(output_type=Report).run_sync("Which city?", event_stream_handler=lambda *_: asyncio.sleep(0))
save("streamed.json", streamed)
