"""Variants about the form of texts: other letters, and many characters."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any, get_args, get_type_hints

from msgspec import Struct

from loopspec.contract import actions as do
from loopspec.contract.agents import Agent, Legacy, Retry, Summarization, TodoList, Tool, Turn
from loopspec.contract.scene import Scene
from loopspec.contract.values import Message, Part, ToolCall

from .facts import Facts
from .file_facts import IMPORT, ROLES, has_files, has_limit
from .files import with_contents
from .restoring_files import WithOtherTexts
from .texts import Change, with_texts
from .variant import Variant, Varied

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_DESERET = "".join(map(chr, range(0x10428, 0x10428 + 26)))  # four bytes each in UTF-8, and no other form in Unicode
_FILLER = "~" * 500
_FIRST_FILLER = _FILLER * 140  # of a file: more than 64 KiB, before its first import

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
            varied = with_contents(varied, lambda text: in_file(text).replace(_FILLER, _FIRST_FILLER, 1))
        return Varied(varied, (WithOtherTexts(inverse),))

    return Variant(name, _has_free_texts, vary, roles=ROLES)


def _has_free_texts(facts: Facts) -> bool:
    """Whether an agent runs or files are loaded, and no built-in plugin counts words or reads arguments."""
    built_in = any(isinstance(one, Summarization | TodoList) for one in facts.handlers)
    return (facts.is_run or (has_files(facts) and not has_limit(facts.scene))) and not built_in


def _with_a_filler(name: str) -> Variant:
    table: Any = str.maketrans({letter: letter + _FILLER for letter in _LETTERS + _LETTERS.upper() + _DESERET})
    return _written(name, lambda text: text.translate(table), lambda text: text.replace(_FILLER, ""))


def _of_other_letters(name: str) -> Variant:
    there: Any = str.maketrans(_LETTERS, _DESERET)
    back: Any = str.maketrans(_DESERET, _LETTERS)
    return _written(name, lambda text: text.translate(there), lambda text: text.translate(back))


VARIANTS = (
    _of_other_letters("non-ascii-texts"),
    _with_a_filler("long-texts"),
)
