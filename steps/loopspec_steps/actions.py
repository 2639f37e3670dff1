"""What handlers, tools and middlewares do, in words: a step names one action or several, with `; ` between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

from loopspec.contract.acting import Place
from loopspec.contract.actions import KINDS, Action, Script

from .cells import CALLS
from .clauses import Clause, clause_of, written
from .declarations import NotWritable, OpenType, PhraseError
from .gates import GATE
from .holes import Where, held_by, where_of, where_text
from .templates import Made


def _clauses() -> Iterator[Clause[Action]]:
    """The sentences that the actions declare."""
    for kind in KINDS:
        for one in kind.sentences:
            places = kind.places if one.places is None else one.places
            holds = held_by(one.text, calls=CALLS, gate=GATE)
            yield Clause(one.text, one.meaning or kind.meaning(), kind, one.fields, holds, places)


ACTIONS: tuple[Clause[Action], ...] = tuple(_clauses())
# What a handler does that only observes: no action at all. Stands alone.
OBSERVES: Clause[tuple[Action, ...]] = Clause("observes", "Only observe: change nothing.", tuple, {}, {})


def actions_of(text: str, place: Place | None = None) -> tuple[Action, ...]:
    """Read the actions that a text names. Raises `PhraseError` for an unknown or misplaced one."""
    if text == OBSERVES.sentence:
        return ()
    found = [clause_of(part.strip(), ACTIONS, "action") for part in text.split("; ")]
    for clause, _ in found:
        if place is not None and clause.places and place not in clause.places:
            where = "the body of a tool" if place == "tool" else repr(place)
            known = ", ".join(map(repr, clause.places))
            raise PhraseError(f"the action {clause.readable!r} does nothing in {where}: it is allowed in {known}")
    return tuple(clause.read(holes) for clause, holes in found)


def actions_text(actions: Iterable[Action], place: Place = "tool") -> str:
    """Actions of a hook or of a tool in words. Raises `NotWritable` for an action that no sentence says."""
    allowed = [clause for clause in ACTIONS if not clause.places or place in clause.places]
    text = "; ".join(written(action, allowed) for action in actions) or OBSERVES.sentence
    with suppress(PhraseError):  # a text that has the separator in it reads as something else
        if actions_of(text, place) == tuple(actions):
            return text
    raise NotWritable(f"{text!r} does not say the actions")


ACTION_LIST = OpenType(
    "actions",
    "One action, or several in order with `; ` between them.",
    'calls the next handler; fails with "boom"',
    actions_of,
)
BODY = OpenType(
    "actions of a tool",
    "One action, or several in order with `; ` between them.",
    'sends the event "25 %"',
    lambda text: actions_of(text, "tool"),
    actions_text,
)


def script_of(where: str, actions: str = "") -> Script:
    """Read what a handler does in a hook: `before model`, `before model call 2`, `around tool "t1"`.

    Without actions, it only observes.
    """
    hook, call, tool, run = where_of(where)
    return Script(
        hook=hook,
        actions=actions_of(actions, hook) if actions else (),
        calls=() if call is None else (call,),
        tools=() if tool is None else (tool,),
        runs=() if run is None else (run,),
    )


def script_text(script: Script) -> tuple[str, str]:
    """The hook of a script and its actions, in words. Raises `NotWritable` for what no step says."""
    if max(len(script.calls), len(script.tools), len(script.runs)) > 1:
        raise NotWritable("no phrase names several calls, several tools or several runs of a hook")
    call, tool, run = next(iter(script.calls), None), next(iter(script.tools), None), next(iter(script.runs), None)
    return where_text(Where(script.hook, call, tool, run)), actions_text(script.actions, script.hook)


def _observed(scripts: Iterable[Script]) -> str:
    """The hooks of scripts without actions, in words. Raises `NotWritable` for others."""
    texts = [script_text(script) for script in scripts]
    if any(actions != OBSERVES.sentence for _, actions in texts):
        raise NotWritable("a script has actions")
    return " and ".join(where for where, _ in texts)


SEVERAL_WHERE = OpenType(
    "hooks and calls",
    "Hooks, each maybe with a call or a tool, with `and` between them.",
    "after model and after agent",
    lambda text: tuple(map(script_of, text.split(" and "))),
    _observed,
)
SCRIPT = Made(("where", "actions"), script_of, script_text)  # of a Given with these two holes
