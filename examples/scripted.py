"""A model for the examples: its answers are known in advance, so an example needs no network and no key."""

from collections.abc import AsyncIterator

from loopspec_reference import Message, ModelRequest


class ScriptedModel:
    """Answers each model call with the next message of a script.

    The model counts the answers in the conversation and keeps no position of its own. A run that another process
    resumes therefore continues at the right answer.
    """

    def __init__(self, *answers: Message) -> None:
        self._answers = answers

    async def generate(self, request: ModelRequest[Message]) -> Message:
        """Return the whole answer."""
        given = sum(message.role == "assistant" for message in request.messages)
        return self._answers[given]

    async def stream(self, request: ModelRequest[Message]) -> AsyncIterator[Message]:
        """Yield the answer as a single chunk."""
        yield await self.generate(request)
