"""A fraction of the context size is rejected for a model without a profile, also next to a number of tokens."""

from langchain.agents.middleware import SummarizationMiddleware

from scripted import Scripted

for profile in {"max_input_tokens": 2000}, None:
    for trigger in ("fraction", 0.5), {"fraction": 0.5, "tokens": 1000}:
        try:
            SummarizationMiddleware(Scripted(profile=profile), trigger=trigger)
            print(profile, trigger, "accepted")
        except ValueError as error:
            print(profile, trigger, "ValueError", str(error)[:37])

# Output:
# {'max_input_tokens': 2000} ('fraction', 0.5) accepted
# {'max_input_tokens': 2000} {'fraction': 0.5, 'tokens': 1000} accepted
# None ('fraction', 0.5) ValueError Model profile information is required
# None {'fraction': 0.5, 'tokens': 1000} ValueError Model profile information is required
