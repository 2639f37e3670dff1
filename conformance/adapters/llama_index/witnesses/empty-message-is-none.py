"""An empty text of the user is taken for none, and the run fails without a model call."""

import asyncio

from llama_index.core.agent.workflow import FunctionAgent

from scripted import REQUESTS, model


async def main() -> None:
    for text in (" ", ""):
        try:
            ended = str(await FunctionAgent(llm=model("Hi."), streaming=False).run(user_msg=text))
        except ValueError as error:
            ended = str(error)
        print(f"{text!r}: {ended} | model calls: {len(REQUESTS)}")


asyncio.run(main())

# Output:
# ' ': Hi. | model calls: 1
# '': Must provide either user_msg or chat_history | model calls: 1
