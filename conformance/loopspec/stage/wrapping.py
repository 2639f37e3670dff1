"""Scripted wrappers around one model call or one tool call."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, TypeVar, cast

import msgspec
from msgspec.structs import replace

from ..contract import actions as do
from ..contract.actions import Action
from ..contract.calls import Command, InvalidValue, ModelRequest, ToolAnswer, ToolRequest
from ..contract.doubles import BegunAnswer, InnerModel, InnerTool
from ..contract.values import Message, Part, ToolInfo
from .scripts import Findings, split_request

A = TypeVar("A", Message, ToolAnswer)

# The answers of earlier requests, by their messages.
Cache = dict[bytes, Message]


class Wrapping(ABC, Generic[A]):
    """One call of a wrapper: the request for the inner endpoint, and the answer so far."""

    passes_on_invalid = False  # whether it makes the mistake of passing on a value that no wrapper may pass on

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._answer: BegunAnswer[A] | A | None = None

    async def act(self, action: Action) -> bool:
        """Do one action, if it is about the request or the answer; return whether it is."""
        match action:
            case do.CallInner():
                before = self._answer
                await self._call(action.fallback, action.tries)
                if action.drops and self._answer is not None:
                    await self._whole(self._answer)
                    self._answer = before
            case do.Answer():
                self._answer = self._own(action.text)
            case do.AppendAnswer():
                self._answer = self._longer(await self._whole(await self.answer()), action.text)
            case _:
                return await self._act_on_request(action)
        return True

    async def answer(self) -> BegunAnswer[A] | A:
        """Return the answer; call the inner endpoint now if it has not been called."""
        if self._answer is None:
            await self._call(None)
        assert self._answer is not None
        return self._answer

    async def _call(self, fallback: str | None, tries: int = 1) -> None:
        for _ in range(tries if fallback is not None else tries - 1):
            try:
                self._answer = await self._inner()
                await self._whole(self._answer)  # a stream may still break
            except Exception:
                continue
            return
        self._answer = await self._inner() if fallback is None else self._own(fallback)

    async def _whole(self, answer: BegunAnswer[A] | A) -> A:
        """Return all of an answer; one of the inner endpoint is recorded, now that the wrapper looks at it."""
        if isinstance(answer, Message | ToolAnswer):
            return answer
        whole = await answer.complete()
        self._findings.answer = self._text(whole)
        return whole

    @abstractmethod
    async def _inner(self) -> BegunAnswer[A]:
        """Call the inner endpoint with the request as it is now."""

    @abstractmethod
    async def _act_on_request(self, action: Action) -> bool:
        """Do one action, if it is about the request or the answer of this kind of call; return whether it is."""

    @abstractmethod
    def _own(self, text: str) -> A:
        """Make an answer of the wrapper's own."""

    @abstractmethod
    def _longer(self, answer: A, text: str) -> A:
        """Return the answer with a text appended."""

    @abstractmethod
    def _text(self, answer: A) -> str:
        """Return the answer as the record has it."""


class ModelWrapping(Wrapping[Message]):
    """A wrapper around a model call."""

    def __init__(
        self, request: ModelRequest, given: ModelRequest, inner: InnerModel, findings: Findings, cache: Cache
    ) -> None:
        """`given` is the request as the adapter passed it: its system instruction may stand apart."""
        super().__init__(findings)
        self._request = request
        self._given = given
        self._endpoint = inner
        self._cache = cache

    async def _inner(self) -> BegunAnswer[Message]:
        if self.passes_on_invalid:
            return await self._endpoint.model(cast("ModelRequest", InvalidValue()))
        return await self._endpoint.model(split_request(self._request, self._given))

    async def _act_on_request(self, action: Action) -> bool:
        match action:
            case do.SetSystem() | do.Redact():
                self._request = replace(self._request, messages=_reworded(self._request.messages, action))
            case do.UseModel():
                self._request = replace(self._request, model=action.model)
            case do.Rewrite():
                added = Message(role="user", content=action.text)
                self._request = replace(self._request, messages=(*self._request.messages, added))
            case do.OfferTools():
                known = {tool.name: tool for tool in self._request.tools}
                tools = tuple(known.get(name, ToolInfo(name=name)) for name in action.tools)
                self._request = replace(self._request, tools=tools)
            case do.DeferTools():
                deferred = tuple(ToolInfo(name=name) for name in action.tools)
                self._request = replace(self._request, deferred_tools=deferred)
            case do.UseCache():
                key = msgspec.json.encode(self._request.messages)  # a message with extra data has no hash
                if key not in self._cache:
                    self._cache[key] = await self._whole(await self.answer())
                self._answer = self._cache[key]
            case _:
                return False
        return True

    def _own(self, text: str) -> Message:
        return Message(role="assistant", content=text)

    def _longer(self, answer: Message, text: str) -> Message:
        return replace(answer, content=answer.content + text)

    def _text(self, answer: Message) -> str:
        return answer.content


class ToolWrapping(Wrapping[ToolAnswer]):
    """A wrapper around a tool call."""

    def __init__(self, request: ToolRequest, inner: InnerTool, findings: Findings) -> None:
        super().__init__(findings)
        self._request = request
        self._endpoint = inner

    async def _inner(self) -> BegunAnswer[ToolAnswer]:
        passed_on = cast("ToolRequest", InvalidValue()) if self.passes_on_invalid else self._request
        return await self._endpoint.tool(passed_on)

    async def _act_on_request(self, action: Action) -> bool:
        match action:
            case do.Rewrite():
                self._request = replace(self._request, args=action.text)
            case do.AddOption():
                self._request = replace(self._request, options={**self._request.options, action.key: action.value})
            case do.GiveCommand():
                answer = await self._whole(await self.answer()) if action.text is None else self._own(action.text)
                self._answer = replace(answer, command=Command(state=action.state, goto=action.goto))
            case _:
                return False
        return True

    def _own(self, text: str) -> ToolAnswer:
        if "enhanced" in self._request.kind:
            return ToolAnswer(parts=(Part(text=text),))
        return ToolAnswer(text=text)

    def _longer(self, answer: ToolAnswer, text: str) -> ToolAnswer:
        if answer.parts:
            return replace(answer, parts=(*answer.parts, Part(text=text)))
        return replace(answer, text=answer.text + text)

    def _text(self, answer: ToolAnswer) -> str:
        return answer.text or "/".join(part.text or f"image:{part.url}" for part in answer.parts)


def _reworded(messages: tuple[Message, ...], action: do.SetSystem | do.Redact) -> tuple[Message, ...]:
    """The messages of a request with another system message, or with a text replaced."""
    if isinstance(action, do.Redact):
        return tuple(replace(one, content=one.content.replace(action.text, action.by)) for one in messages)
    rest = tuple(message for message in messages if message.role != "system")
    there = "".join(message.content for message in messages if message.role == "system")
    return (Message(role="system", content=there * action.append + action.text), *rest) if action.text else rest
