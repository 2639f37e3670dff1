"""After the last failed attempt, ModelRetryMiddleware raises the error of the model, or turns it into an answer."""

from langchain.agents import create_agent
from langchain.agents.middleware import ModelRetryMiddleware

from scripted import Scripted

for on_failure in "error", "continue":
    model = Scripted(ConnectionError("first"), ConnectionError("second"))
    retry = ModelRetryMiddleware(max_retries=1, initial_delay=0, on_failure=on_failure)
    try:
        state = create_agent(model, middleware=[retry]).invoke({"messages": "hi"})
        print(on_failure, len(model.calls), state["messages"][-1].text)
    except Exception as error:
        print(on_failure, len(model.calls), type(error).__name__, error, "cause:", error.__cause__)

# Output:
# error 2 ConnectionError second cause: None
# continue 2 Model call failed after 2 attempts with ConnectionError: second
