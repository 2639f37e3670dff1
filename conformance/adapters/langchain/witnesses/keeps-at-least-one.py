"""A summarization that keeps zero messages is rejected."""

from langchain.agents.middleware import SummarizationMiddleware

from scripted import Scripted

for keep in 1, 0:
    try:
        SummarizationMiddleware(Scripted(), trigger=("messages", 2), keep=("messages", keep))
        print(keep, "accepted")
    except ValueError as error:
        print(keep, type(error).__name__, error)

# Output:
# 1 accepted
# 0 ValueError keep thresholds must be greater than 0, got 0.
