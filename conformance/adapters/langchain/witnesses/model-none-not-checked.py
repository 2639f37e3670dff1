"""A model that is None is no invalid option: the middleware reads an attribute of it."""

from langchain.agents.middleware import SummarizationMiddleware

from scripted import Scripted

for model, trigger in (Scripted(), ("tokens", 0)), (None, ("tokens", 10)):
    try:
        SummarizationMiddleware(model, trigger=trigger)
    except Exception as error:
        print(type(error).__name__, error)

# Output:
# ValueError trigger thresholds must be greater than 0, got 0.
# AttributeError 'NoneType' object has no attribute 'with_retry'
