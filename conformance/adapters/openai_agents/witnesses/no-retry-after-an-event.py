"""A model call that fails before its first event is retried; one that fails after a part of the answer is not."""

import asyncio

from agents import Agent, ModelSettings, Runner, set_tracing_disabled
from agents.retry import ModelRetrySettings
from agents.testing import ModelStep, ScriptedModel, assistant_message
from openai.types.responses import ResponseTextDeltaEvent

set_tracing_disabled(True)
DELTA = {"content_index": 0, "delta": "he", "item_id": "1", "logprobs": [], "output_index": 0, "sequence_number": 0}


async def broken(call):
    yield ResponseTextDeltaEvent(type="response.output_text.delta", **DELTA)
    raise ConnectionError("busy")


async def main() -> None:
    retry = ModelRetrySettings(max_retries=2, policy=lambda context: True, backoff={"initial_delay": 0})
    for name, step in {"before": ConnectionError("busy"), "after": ModelStep.stream(broken)}.items():
        model = ScriptedModel([step, [assistant_message("good")]])
        result = Runner.run_streamed(Agent("agent", model=model, model_settings=ModelSettings(retry=retry)), "hi")
        try:
            async for _ in result.stream_events():
                pass
            end = result.final_output
        except Exception as error:
            end = repr(error)
        print(f"{name}: {len(model.calls)} model calls, {end}")


asyncio.run(main())

# Output:
# before: 2 model calls, good
# after: 1 model calls, ConnectionError('busy')
