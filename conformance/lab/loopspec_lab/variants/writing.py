"""Variants about the form of texts: other letters, unusual characters, many characters, and texts with calls."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any, get_args, get_type_hints

from msgspec import Struct
from msgspec.structs import replace

from loopspec.contract import actions as do
from loopspec.contract.agents import Agent, Legacy, Retry, Summarization, TodoList, Tool, Turn
from loopspec.contract.mismatch import Mismatch
from loopspec.contract.observation import Observation
from loopspec.contract.scene import Scene
from loopspec.contract.values import Message, Part, ToolCall

from .facts import Facts, found, mapped
from .file_facts import IMPORT, ROLES, has_files, has_limit
from .files import with_contents
from .restoring_files import WithOtherTexts
from .texts import Change, with_texts
from .variant import Variant, Varied

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_DESERET = "".join(map(chr, range(0x10428, 0x10428 + 26)))  # four bytes each in UTF-8, and no other form in Unicode
_BEFORE, _AFTER = ' \t"{', "}%s%%\r\n\\ "  # what stands around each letter, and thus at both ends of a text
_FILLER = "~" * 500
_SPOKEN = "I call the tools."

# The fields with free texts, with templates and with arguments, by type.
_TEXTS: Mapping[type[Struct], str] = {
    Message: "content",
    Part: "text",
    Turn: "text chunks",
    Tool: "text texts chunks description",
    Agent: "description",
    Retry: "rejects",
    do.CallInner: "fallback",
    do.Redact: "text by",
    do.GiveCommand: "text",
    **dict.fromkeys((do.Answer, do.AppendAnswer, do.SetSystem, do.Summarize, do.ReplaceLast), "text"),
}
_TEMPLATES: Mapping[type[Struct], str] = {Agent: "instruction", Legacy: "instruction", do.SetInstruction: "text"}
_ARGUMENTS: Mapping[type[Struct], str] = {ToolCall: "args", do.Rewrite: "text"}

_PLACEHOLDER = re.compile(r"\{\{|\}\}|\{[^{}]*\}|[{}]")
_JSON_TEXT = re.compile(r'("(?:[^"\\]|\\.)*")(\s*:)?')  # with a colon, a key


def _unchanged(text: str) -> str:
    return text


def _holds_structs(hint: object) -> bool:
    return (isinstance(hint, type) and issubclass(hint, Struct)) or any(map(_holds_structs, get_args(hint)))


def _between(kept: re.Pattern[str], change: Change) -> Change:
    """The change to what stands between the matches of a pattern."""

    def changed(text: str) -> str:
        at, parts = 0, []
        for match in kept.finditer(text):
            parts += [change(text[at : match.start()]), match[0]]
            at = match.end()
        return "".join((*parts, change(text[at:])))

    return changed


def _in_arguments(change: Change) -> Change:
    """The change to each text in JSON; of a text that is no JSON, the change to all of it if it begins with a word."""

    def value(match: re.Match[str]) -> str:
        return match[0] if match[2] else json.dumps(change(json.loads(match[0])), ensure_ascii=False)

    def changed(text: str) -> str:
        return change(text) if text[:1].isalpha() else _JSON_TEXT.sub(value, text)

    return changed


def _written(name: str, change: Change, inverse: Change) -> Variant:
    """The variant that changes each letter of each free text: a part of a text is changed as the text is."""
    in_template = _between(_PLACEHOLDER, lambda text: change(text).replace("{", "{{").replace("}", "}}"))
    in_arguments, in_file = _in_arguments(change), _between(IMPORT, change)

    tables = ((_TEXTS, change), (_TEMPLATES, in_template), (_ARGUMENTS, in_arguments))

    @cache
    def fields(kind: type[Struct], _: Change) -> Mapping[str, Change]:
        hints = get_type_hints(kind)
        changes: dict[str, Change] = {name: _unchanged for name, hint in hints.items() if _holds_structs(hint)}
        return changes | {name: made for table, made in tables for name in table.get(kind, "").split()}

    def vary(scene: Scene) -> Varied:
        varied = with_texts(scene, _unchanged, fields)
        if not has_limit(scene):
            varied = with_contents(varied, in_file)
        return Varied(varied, (WithOtherTexts(inverse),))

    return Variant(name, _has_free_texts, vary, roles=ROLES)


def _has_free_texts(facts: Facts) -> bool:
    """Whether an agent runs or files are loaded, and no built-in plugin counts words or reads arguments."""
    built_in = any(isinstance(one, Summarization | TodoList) for one in facts.handlers)
    return (facts.is_run or (has_files(facts) and not has_limit(facts.scene))) and not built_in


def _around_letters(name: str, before: str, after: str) -> Variant:
    table: Any = str.maketrans({letter: before + letter + after for letter in _LETTERS + _LETTERS.upper() + _DESERET})
    parts = [part for one in (before, after) for part in (re.sub("([{}])", r"\1\1", one), one, json.dumps(one)[1:-1])]

    def inverse(text: str) -> str:
        for part in parts:
            text = text.replace(part, "")
        return text

    return _written(name, lambda text: text.translate(table), inverse)


def _of_other_letters(name: str) -> Variant:
    there: Any = str.maketrans(_LETTERS, _DESERET)
    back: Any = str.maketrans(_DESERET, _LETTERS)
    return _written(name, lambda text: text.translate(there), lambda text: text.translate(back))


def _is_silent(turn: object) -> bool:
    """Whether an answer is made of tool calls alone."""
    if not isinstance(turn, Turn) or any(turn.pieces):
        return False
    return bool(turn.tool_calls) and not (turn.error or turn.crash or turn.nothing)


def _spoken(scene: Scene) -> Varied:
    """The scene whose answers with calls alone have a text as well; each text of the observation is without it."""
    silent = {turn.tool_calls for turn in found(scene, (Turn,)) if isinstance(turn, Turn) and _is_silent(turn)}

    def check(seen: Observation) -> Observation:
        for message in (message for call in seen.model_calls for message in call.messages):
            if message.tool_calls in silent and _SPOKEN not in message.content:
                raise Mismatch("the text with tool calls", _SPOKEN, message.content)
        return seen

    def speaks(turn: Turn) -> Turn:
        return replace(turn, text=_SPOKEN, chunks=()) if _is_silent(turn) else turn

    varied: Scene = mapped(scene, (Turn,), speaks)
    return Varied(varied, (check, WithOtherTexts(lambda text: text.replace(_SPOKEN, ""))))


def _can_speak(facts: Facts) -> bool:
    """Whether an answer is made of calls alone, and nothing replaces, counts or retells the texts of answers."""
    return (
        facts.is_run
        and any(_is_silent(turn) for model in facts.models for turn in model.turns)
        and not facts.has_actions((do.ReplaceLast, do.Answer, do.Summarize, do.SetCalls))
        and not any(isinstance(one, Summarization) for one in facts.handlers)
        and not any(tool.full_history for tool in facts.tools)
        and not any(agent.retry and "" in agent.retry.rejects for agent in facts.agents)
    )


VARIANTS = (
    _of_other_letters("non-ascii-texts"),
    _around_letters("unusual-texts", _BEFORE, _AFTER),
    _around_letters("long-texts", "", _FILLER),
    Variant("text-with-calls", _can_speak, _spoken),
)
