"""An error of a BeforeModelCallEvent hook is retried like an error of the model, if the retry strategy says so."""

from strands import Agent, ModelRetryStrategy
from strands.hooks import BeforeModelCallEvent

from scripted import Scripted


class Retry(ModelRetryStrategy):
    def is_retryable(self, exception: Exception) -> bool:
        print("asked about", repr(exception))
        return True


failures = [ValueError("of the hook")]


def first(event: BeforeModelCallEvent) -> None:
    print("first hook")


def second(event: BeforeModelCallEvent) -> None:
    if failures:
        raise failures.pop()


retries = Retry(max_attempts=2, initial_delay=0)
agent = Agent(model=Scripted("done"), retry_strategy=retries, callback_handler=None, hooks=[first, second])
print(agent("Hi").stop_reason)

# Output:
# first hook
# asked about ValueError('of the hook')
# first hook
# end_turn
