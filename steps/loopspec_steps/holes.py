"""What the holes of a sentence hold, by the type that the sentence gives them or by their names; and the hooks."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from loopspec.contract.acting import Hook
from loopspec.contract.scene import Fault

from .cells import ANY_TEXT, JSON, NAMES, NUMBER, OBJECT, QUOTED, TIMES
from .declarations import ClosedList, Holds, OpenType, PhraseError, Word

Side = Literal["before", "after"]

HOOKS: ClosedList[Hook] = ClosedList(
    "hooks and wrappers",
    "The hooks and wrappers of a handler or middleware.",
    Word(
        "before agent",
        "The before-agent hook, which receives the instruction and the tools of the run.",
        "before agent",
    ),
    Word(
        "before model", "The before-model hook, which receives the conversation before each model call.", "before model"
    ),
    Word("around model", "The model wrapper, which wraps each model call.", "around model"),
    Word("after model", "The after-model hook, which receives the conversation with the answer.", "after model"),
    Word("around tool", "The tool wrapper, which wraps each tool call.", "around tool"),
    Word(
        "after agent", "The after-agent hook, which receives the final conversation of a successful run.", "after agent"
    ),
)

SIDES: ClosedList[Side] = ClosedList(
    "sides of the handler under test",
    "Where another handler is registered.",
    Word("before", "The handler precedes the AgentsMD middleware in the list of handlers.", "before"),
    Word("after", "The handler follows the AgentsMD middleware in the list of handlers.", "after"),
)


class Where(NamedTuple):
    """A hook, and maybe one call of the hook, one tool or one run."""

    hook: Hook
    call: int | None
    tool: str | None
    run: str | None


_WHERE = re.compile(
    rf"(?P<hook>{HOOKS.pattern})"
    r"(?: call (?P<call>\d+))?(?: \"(?P<tool>[^\"]+)\")?(?: of run (?P<run>\d+))?$"
)


def where_of(text: str) -> Where:
    """Read a hook, maybe with a call, a tool or a run: `around tool call 2 "t1" of run 2`.

    Raises `PhraseError` for another text.
    """
    found = _WHERE.match(text)
    if found is None:
        raise PhraseError(f"{text!r} is no hook: the hooks are {', '.join(word.text for word in HOOKS.words)}")
    return Where(HOOKS.read(found["hook"]), int(found["call"]) if found["call"] else None, found["tool"], found["run"])


def where_text(where: Where) -> str:
    """A hook, maybe with a call, a tool or a run, in words."""
    hook, call, tool, run = where
    return hook + (f" call {call}" if call else "") + (f' "{tool}"' if tool else "") + (f" of run {run}" if run else "")


def hook_of(text: str) -> Hook:
    """Read a hook where neither a call nor a tool nor a run may be named."""
    where = where_of(text)
    if where.call or where.tool or where.run:
        raise PhraseError(f"{text!r} is more than a hook: say {where.hook!r}")
    return where.hook


WHERE = OpenType(
    "hook and call",
    "A hook, then maybe `call` and a number for one call of the hook in a run, then maybe a tool in quotes, then maybe "
    "`of run` and a number.",
    'around tool call 2 "t1"',
    where_of,
    where_text,
    r"(?:before|around|after) (?:agent|model|tool)(?: call \d+)?(?: \"[^\"]+\")?(?: of run \d+)?",
)
HOOK = OpenType(
    "hook",
    "One of the hooks, without a call and without a tool.",
    "before model",
    hook_of,
    pattern=HOOKS.pattern,
)


HOOKS_IN_ORDER = OpenType(
    "hooks in order",
    "Hooks in order, with commas between them.",
    "before agent, before model",
    lambda text: tuple(map(hook_of, text.split(", "))),
)


CancelMode = Literal["after model", "after tools"]

QUOTED_HOLE = re.compile(r'"\{(\w+)\}"')
NAMED = re.compile(r"\{(\w+)(?::(\w+))?\}")

MODES: ClosedList[bool] = ClosedList(
    "modes",
    "The mode of a run or of a model call.",
    Word("synchronous", "The model answers with one whole message.", False),
    Word("streaming", "The model answers with a stream of chunks.", True),
)

POINTS: ClosedList[tuple[CancelMode, ...]] = ClosedList(
    "points of a cancellation",
    "When a requested cancellation takes effect.",
    Word("immediately", "The cancellation does not wait for a call.", ()),
    Word("after the model call", "The cancellation waits for the model call that is under way.", ("after model",)),
    Word("after the tool calls", "The cancellation waits for the tool calls that are under way.", ("after tools",)),
    Word(
        "at either safe point",
        "The cancellation waits for whichever of the two ends first.",
        ("after model", "after tools"),
    ),
)

FAULTS: ClosedList[Fault] = ClosedList(
    "errors of reading",
    "The errors with which reading a file fails; a Then compares the kind only.",
    Word("a missing-file error", "The file does not exist.", Fault(kind="not_exist")),
    Word(
        "a missing-file error inside another error",
        "The file does not exist; the error is the cause of the cause of another error.",
        Fault(kind="not_exist", wrapped=True),
    ),
    Word("a permission error", "The file must not be read.", Fault(kind="permission")),
    Word("an I/O error", "The file cannot be read.", Fault(kind="io")),
    Word(
        'an I/O error that says "file not found"',
        "The file cannot be read; only the text of the error says that it is missing.",
        Fault(kind="io", message="file not found"),
    ),
    Word("a directory error", "The path is a directory.", Fault(kind="directory")),
    Word("a not-a-directory error", "The path leads through a file.", Fault(kind="not_a_directory")),
    Word("a cancellation", "The read is cancelled.", Fault(kind="cancelled")),
)

# What a hole holds, by the type that a sentence gives it.
_BY_TYPE: Mapping[str, Holds[object]] = {
    "Quoted": QUOTED,
    "Text": ANY_TEXT,
    "Names": NAMES,
    "Where": WHERE,
    "Mode": MODES,
    "Point": POINTS,
    "Times": TIMES,
    "d": NUMBER,
}
# The same of holes without a type, by their names. A phrase whose hole holds something else says so.
_BY_NAME: Mapping[str, Holds[object]] = {
    **dict.fromkeys(("codes", "contents", "lines", "models", "order", "parts", "paths", "providers"), NAMES),
    **dict.fromkeys(("targets", "texts", "tools"), NAMES),
    **dict.fromkeys(("context", "state"), OBJECT),
    **dict.fromkeys(("args", "value"), JSON),
    "hook": HOOK,
}


class _ParsedHole:
    """A typed hole, as `parse` wants it. Only a number of times is read: a check has the other texts as written."""

    def __init__(self, holds: Holds[object]) -> None:
        self.pattern = holds.pattern
        self._read: Callable[[str], object] = TIMES.read if holds is TIMES else str

    def __call__(self, text: str) -> object:
        return self._read(text)


PARSED_HOLES = {name: _ParsedHole(holds) for name, holds in _BY_TYPE.items() if name != "d"}


def holds_of(sentence: str) -> dict[str, Holds[object] | None]:
    """What the holes of a sentence hold, by their names; None where nothing says so."""
    quoted = set(QUOTED_HOLE.findall(sentence))
    return {
        name: QUOTED if name in quoted else _BY_TYPE[type_] if type_ in _BY_TYPE else _BY_NAME.get(name)
        for name, type_ in NAMED.findall(sentence)
    }


def held_by(clause: str, **others: Holds[object]) -> dict[str, Holds[object]]:
    """What the holes of an action, a gate or a moment hold; `others` are those whose names do not say it here."""
    known = holds_of(clause)
    return {name: holds or others[name] for name, holds in known.items()}
