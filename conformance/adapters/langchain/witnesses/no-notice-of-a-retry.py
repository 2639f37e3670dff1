"""The chunks of a failed attempt stay in the stream, and no event says that the model call is retried."""

from langchain.agents import create_agent
from langchain.agents.middleware import ModelRetryMiddleware

from scripted import Streamed

model = Streamed(["he", ConnectionError("busy")], ["go", "od"])
agent = create_agent(model, middleware=[ModelRetryMiddleware(max_retries=1, initial_delay=0)])

ids = []
for mode, chunk in agent.stream({"messages": "hi"}, stream_mode=["messages", "custom", "updates"]):
    if mode == "messages":
        ids += [chunk[0].id] if chunk[0].id not in ids else []
        print("chunk of message", ids.index(chunk[0].id) + 1, repr(chunk[0].text))
    else:
        print(mode, chunk["model"]["messages"][0].text)

# Output:
# chunk of message 1 'he'
# chunk of message 2 'go'
# chunk of message 2 'od'
# chunk of message 2 ''
# updates good
