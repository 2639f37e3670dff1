"""After the last attempt, the error of that attempt is raised, and says nothing of the attempts before."""

from strands import Agent, ModelRetryStrategy
from strands.types.exceptions import ModelThrottledException

from scripted import Scripted

model = Scripted(*(ModelThrottledException(text) for text in ("first", "second")))
retries = ModelRetryStrategy(max_attempts=2, initial_delay=0)
try:
    Agent(model=model, retry_strategy=retries, callback_handler=None)("Hi")
except ModelThrottledException as error:
    print(len(model.requests), "model calls:", type(error).__name__, error, error.__cause__)

# Output:
# 2 model calls: ModelThrottledException second None
