"""The needs of scripted models: their answers, and the tool calls in the answers."""

from __future__ import annotations

import json
from collections.abc import Iterable

from ..agents import Agent, Model, Turn
from ..capabilities import Capability
from ..values import ToolCall
from .reasons import present


def models_of(agent: Agent) -> tuple[Model, ...]:
    """Return the models of an agent: its own one, the backup models and the additional ones."""
    backups = agent.failover.models if agent.failover else ()
    return (*([agent.model] if agent.model else []), *backups, *agent.additional_models)


def of_turns(turns: Iterable[Turn]) -> set[Capability]:
    """Return the capabilities that answers of models need."""
    needed: set[Capability] = set()
    for turn in turns:
        needed |= present({"extra-data": turn.extras, "missing-results": turn.nothing})
        needed |= of_calls(turn.tool_calls)
    return needed


def of_calls(calls: Iterable[ToolCall]) -> set[Capability]:
    """Return the capabilities that tool calls need."""
    return present({"raw-arguments": any(map(is_raw, (call.args for call in calls)))})


def is_raw(args: str) -> bool:
    """Whether arguments are lost if they are parsed and written again: anything but a JSON object in its usual form."""
    try:
        parsed = json.loads(args)
    except ValueError:
        return True
    again = json.dumps(parsed, ensure_ascii=False)
    return not isinstance(parsed, dict) or "".join(again.split()) != "".join(args.split())
