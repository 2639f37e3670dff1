"""A streaming run emits the chunks of a model before a wrapper of the model call has returned."""

from langchain.agents import create_agent
from langchain.agents.middleware import wrap_model_call

from scripted import Streamed


@wrap_model_call
def loud(request, handler):
    answer = handler(request).result[0]
    request.runtime.stream_writer("the wrapper returns")
    return answer.model_copy(update={"content": answer.text.upper()})


agent = create_agent(Streamed(["sun", "ny"]), middleware=[loud])
for mode, chunk in agent.stream({"messages": "hi"}, stream_mode=["messages", "custom", "updates"]):
    match mode, chunk:
        case "messages", (message, _) if message.text:
            print("chunk:", message.text)
        case "custom", text:
            print("custom:", text)
        case "updates", {"model": update}:
            print("update:", update["messages"][0].text)

# Output:
# chunk: sun
# chunk: ny
# custom: the wrapper returns
# update: SUNNY
