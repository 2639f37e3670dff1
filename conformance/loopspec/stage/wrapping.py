"""Scripted wrappers around one model call or one tool call."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from msgspec.structs import replace

from ..contract.actions import Action, AddOption, Answer, AppendAnswer, CallInner, OfferTools, Rewrite
from ..contract.calls import ModelRequest, ToolAnswer, ToolRequest
from ..contract.doubles import Begun, InnerModel, InnerTool
from ..contract.values import Message, Part, ToolInfo
from .acting import Findings

A = TypeVar("A", Message, ToolAnswer)


class Wrapping(ABC, Generic[A]):
    """One wrapper at work: the request as it will be passed on, and the answer so far."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._answer: Begun[A] | A | None = None

    async def act(self, action: Action) -> bool:
        """Do one action, if it is about the request or the answer; else return False."""
        match action:
            case CallInner():
                await self._call(action.fallback)
            case Answer():
                self._answer = self._own(action.text)
            case AppendAnswer():
                self._answer = self._longer(await self._whole(await self.answer()), action.text)
            case _:
                return self._rewrite(action)
        return True

    async def answer(self) -> Begun[A] | A:
        """The answer; the call further in is made now if it has not been."""
        if self._answer is None:
            await self._call(None)
        assert self._answer is not None
        return self._answer

    async def _call(self, fallback: str | None) -> None:
        if fallback is None:
            self._answer = await self._inner()
            return
        try:
            self._answer = await self._inner()
            await self._whole(self._answer)  # a stream may still break
        except Exception:
            self._answer = self._own(fallback)

    async def _whole(self, answer: Begun[A] | A) -> A:
        """All of an answer; what came from further in is taken down, now that it is looked at."""
        if isinstance(answer, Message | ToolAnswer):
            return answer
        whole = await answer.whole()
        self._findings.answer = self._text(whole)
        return whole

    @abstractmethod
    async def _inner(self) -> Begun[A]:
        """Call further in with the request as it is now."""

    @abstractmethod
    def _rewrite(self, action: Action) -> bool:
        """Do one action, if it is about the request; else return False."""

    @abstractmethod
    def _own(self, text: str) -> A:
        """An answer of the wrapper's own."""

    @abstractmethod
    def _longer(self, answer: A, text: str) -> A:
        """The answer with something added."""

    @abstractmethod
    def _text(self, answer: A) -> str:
        """The answer as the record has it."""


class ModelWrapping(Wrapping[Message]):
    """A wrapper around a model call."""

    def __init__(self, request: ModelRequest, inner: InnerModel, findings: Findings) -> None:
        super().__init__(findings)
        self._request = request
        self._further_in = inner

    async def _inner(self) -> Begun[Message]:
        return await self._further_in.model(self._request)

    def _rewrite(self, action: Action) -> bool:
        match action:
            case Rewrite():
                added = Message(role="user", content=action.text)
                self._request = replace(self._request, messages=(*self._request.messages, added))
            case OfferTools():
                known = {tool.name: tool for tool in self._request.tools}
                tools = tuple(known.get(name, ToolInfo(name=name)) for name in action.tools)
                self._request = replace(self._request, tools=tools)
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
        self._further_in = inner

    async def _inner(self) -> Begun[ToolAnswer]:
        return await self._further_in.tool(self._request)

    def _rewrite(self, action: Action) -> bool:
        match action:
            case Rewrite():
                self._request = replace(self._request, args=action.text)
            case AddOption():
                self._request = replace(self._request, options={**self._request.options, action.key: action.value})
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
