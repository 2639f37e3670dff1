"""A sub-agent streams in a run that does not stream, also without a `stream_callback`."""

import asyncio

from agent_framework import Agent

from scripted import Scripted, calls, says

inner = Scripted(says("sunny"))
outer = Scripted(calls("helper", task="the weather"), says("done"))
helper = Agent(inner, name="helper")
asyncio.run(Agent(outer, tools=[helper.as_tool()]).run("hi"))

print("the model calls of the outer agent stream:", outer.streamed)
print("the model call of the sub-agent streams:", inner.streamed)

# Output:
# the model calls of the outer agent stream: [False, False]
# the model call of the sub-agent streams: [True]
