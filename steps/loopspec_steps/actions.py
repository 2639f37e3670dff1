"""What handlers, tools and middlewares do, in words: a step names one action or several, with `; ` between them."""

from __future__ import annotations

from loopspec.contract.actions import Action
from loopspec.contract.agents import Script

from .action_clauses import ACTIONS, ActionClause, Place
from .declarations import Clause, OpenType, PhraseError, clause_of
from .hooks import Where, where_of

# What a handler does that only observes: no action at all. Stands alone.
OBSERVES = Clause("observes", "Only observe: change nothing.", lambda: ())


def actions_of(text: str, place: Place | None = None) -> tuple[Action, ...]:
    """Read the actions that a text names. Raises `PhraseError` for an unknown or misplaced one."""
    if OBSERVES.holes(text) is not None:
        return OBSERVES.reads()
    found = [clause_of(part.strip(), ACTIONS, "action") for part in text.split("; ")]
    if place is not None:
        for clause, _ in found:
            _check_place(clause, place)
    return tuple(clause.reads(**holes) for clause, holes in found)


def _check_place(clause: ActionClause, place: Place) -> None:
    if clause.places and place not in clause.places:
        where = "the body of a tool" if place == "tool" else repr(place)
        known = ", ".join(map(repr, clause.places))
        raise PhraseError(f"the action {clause.readable!r} does nothing in {where}: it is allowed in {known}")


def _body_of(text: str) -> tuple[Action, ...]:
    return actions_of(text, "tool")


ACTION_LIST = OpenType(
    "actions",
    "One action, or several in order with `; ` between them.",
    'calls the next handler; fails with "boom"',
    actions_of,
)
BODY = OpenType(
    "actions of a tool", "One action, or several in order with `; ` between them.", 'sends the event "25 %"', _body_of
)


def script_of(where: str, actions: str) -> Script:
    """Read what a handler does in a hook: `before model`, `before model call 2`, `around tool "t1"`."""
    place = where_of(where)
    return script_at(place, actions_of(actions, place.hook))


def script_at(where: Where, actions: tuple[Action, ...] = ()) -> Script:
    """The script of a handler that does these actions in a hook."""
    hook, call, tool, run = where
    return Script(
        hook=hook,
        actions=actions,
        calls=() if call is None else (call,),
        tools=() if tool is None else (tool,),
        runs=() if run is None else (run,),
    )
