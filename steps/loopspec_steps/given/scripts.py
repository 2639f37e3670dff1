"""The table of what a handler or middleware does, one hook per row."""

from __future__ import annotations

from loopspec.contract.agents import Script

from ..actions import ACTION_LIST, script_at, script_of
from ..declarations import Column, Columns, Table
from ..hooks import SEVERAL_WHERE, WHERE

HOOK = Column("hook", "The hook, maybe one call of it, maybe one tool.", WHERE, required=True)
ACTION = Column("action", "The actions of the hook.", ACTION_LIST, required=True)

SCRIPTS: Columns[Column[object]] = Columns(
    "actions by hook", "What a handler or middleware does, one hook per row.", HOOK, ACTION
)


def scripts_of(table: Table) -> tuple[Script, ...]:
    """The scripts of a table, one per row."""
    return tuple(script_of(HOOK.text(row), ACTION.text(row)) for row in table)


def observing(hooks: str) -> tuple[Script, ...]:
    """A script without an action for each of several hooks, with `and` between them."""
    return tuple(script_at(where) for where in SEVERAL_WHERE.read(hooks))
