"""The hooks, and where in a step a hook, a call of a hook, or a handler next to the one under test is named."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from loopspec.contract.acting import Hook

from .declarations import ClosedList, OpenType, PhraseError, Word

Side = Literal["before", "after"]

HOOKS: ClosedList[Hook] = ClosedList(
    "hooks",
    "The hooks of a handler or middleware.",
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
