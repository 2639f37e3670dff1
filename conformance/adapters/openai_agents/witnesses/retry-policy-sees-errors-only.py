"""A retry policy is called for a failed model call, and not for an answer, which it cannot reject."""

from agents import Agent, ModelSettings, Runner, set_tracing_disabled
from agents.retry import ModelRetrySettings
from agents.testing import ScriptedModel, assistant_message

set_tracing_disabled(True)


def policy(context) -> bool:
    print(f"attempt {context.attempt}: {context.error!r}")
    return True


retry = ModelRetrySettings(max_retries=3, policy=policy, backoff={"initial_delay": 0})
model = ScriptedModel([ConnectionError("busy"), [assistant_message("maybe")], [assistant_message("yes")]])
result = Runner.run_sync(Agent("agent", model=model, model_settings=ModelSettings(retry=retry)), "hi")

print(f"{len(model.calls)} model calls, {result.final_output}")

# Output:
# attempt 1: ConnectionError('busy')
# 2 model calls, maybe
