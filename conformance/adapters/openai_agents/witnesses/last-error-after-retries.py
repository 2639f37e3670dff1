"""A run whose retries are exhausted fails with the error of the last attempt, as a run without retries does."""

from agents import Agent, ModelSettings, Runner, set_tracing_disabled
from agents.retry import ModelRetrySettings
from agents.testing import ScriptedModel

set_tracing_disabled(True)

for retries in (0, 2):
    model = ScriptedModel([ConnectionError(name) for name in ("first", "second", "third")])
    retry = ModelRetrySettings(max_retries=retries, policy=lambda context: True, backoff={"initial_delay": 0})
    try:
        Runner.run_sync(Agent("agent", model=model, model_settings=ModelSettings(retry=retry)), "hi")
    except Exception as error:
        print(f"{len(model.calls)} model calls, {error!r}, cause: {error.__cause__!r}")

# Output:
# 1 model calls, ConnectionError('first'), cause: None
# 3 model calls, ConnectionError('third'), cause: None
