"""Variants about the form of texts: other letters, and many characters."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any, get_args

from msgspec import Struct

from loopspec.contract import actions as do
from loopspec.contract.agents import Agent, Legacy, Retry, Summarization, TodoList, Tool, Turn
from loopspec.contract.scene import Scene
from loopspec.contract.values import Message, Part, ToolCall

from .facts import Facts, types_of
from .file_facts import IMPORT, ROLES, has_files, has_limit
from .files import with_contents
from .restoring_files import WithOtherTexts
from .texts import Change, with_texts
from .variant import Variant, Varied

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_DESERET = "".join(map(chr, range(0x10428, 0x10428 + 26)))  # four bytes each in UTF-8, and no other form in Unicode
_FILLER = "~" * 498 + "  "  # ends with white space: some implementations strip texts
_IN_FILES, _FIRST_IN_FILES = "^" * 500, "^" * 70_000  # no white space before an import; the first is above 64 KiB
_MANY = "k" + _DESERET[_LETTERS.index("k")]  # have 80 fillers: more than implementations keep that cut long results

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


def _written(name: str, change: Change, inverse: Change, in_file: Change | None = None) -> Variant:
    """The variant that changes each letter of each free text: a part of a text is changed as the text is."""
    in_template = _between(_PLACEHOLDER, lambda text: change(text).replace("{", "{{").replace("}", "}}"))
    tables = ((_TEXTS, change), (_TEMPLATES, in_template), (_ARGUMENTS, _in_arguments(change)))

    @cache
    def fields(kind: type[Struct], _: Change) -> Mapping[str, Change]:
        changes: dict[str, Change] = {name: str for name, hint in types_of(kind).items() if _holds_structs(hint)}
        return changes | {name: made for table, made in tables for name in table.get(kind, "").split()}

    def vary(scene: Scene) -> Varied:
        varied = with_texts(scene, str, fields)
        if not has_limit(scene):
            varied = with_contents(varied, in_file or _between(IMPORT, change))
        return Varied(varied, (WithOtherTexts(inverse),))

    return Variant(name, _has_free_texts, vary, roles=ROLES)


def _has_free_texts(facts: Facts) -> bool:
    """Whether an agent runs or files are loaded, and no built-in plugin counts words or reads arguments."""
    built_in = any(isinstance(one, Summarization | TodoList) for one in facts.handlers)
    return (facts.is_run or (has_files(facts) and not has_limit(facts.scene))) and not built_in


def _with_a_filler(name: str) -> Variant:
    letters = _LETTERS + _LETTERS.upper() + _DESERET
    table: Any = str.maketrans({one: one + _FILLER * (80 if one in _MANY else 1) for one in letters})
    of_files: Any = str.maketrans({one: one + _IN_FILES for one in letters})
    in_file = _between(IMPORT, lambda text: text.translate(of_files))
    return _written(
        name,
        lambda text: text.translate(table),
        lambda text: text.replace(_FILLER, "").replace(_IN_FILES, ""),
        lambda text: in_file(text).replace(_IN_FILES, _FIRST_IN_FILES, 1),
    )


def _of_other_letters(name: str) -> Variant:
    there: Any = str.maketrans(_LETTERS, _DESERET)
    back: Any = str.maketrans(_DESERET, _LETTERS)
    return _written(name, lambda text: text.translate(there), lambda text: text.translate(back))


VARIANTS = (_of_other_letters("non-ascii-texts"), _with_a_filler("long-texts"))
