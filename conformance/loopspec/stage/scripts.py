"""What scripted handlers do: the closed list of actions, interpreted."""

from __future__ import annotations

from collections.abc import Sequence

from ..contract.instructions import carries_instructions
from ..contract.scene import Action, DropInstructions, Hook, Insert, Scene, Scripted, Summarise
from ..contract.values import Message


def actions_of(handler: Scripted, hook: Hook, call: int) -> tuple[Action, ...]:
    """What a handler does at the n-th call of one of its hooks in a run."""
    return tuple(
        action
        for script in handler.scripts
        if script.hook == hook and (not script.calls or call in script.calls)
        for action in script.actions
    )


def edit(messages: Sequence[Message], actions: Sequence[Action], scene: Scene) -> list[Message | int]:
    """The conversation after the actions that edit it: messages of the handler's own, and indexes of those kept."""
    kept: list[Message | int] = list(range(len(messages)))

    def at(item: Message | int) -> Message:
        return messages[item] if isinstance(item, int) else item

    for action in actions:
        match action:
            case Summarise():
                system = [item for item in kept if at(item).role == "system"]
                rest = [item for item in kept if at(item).role != "system"]
                if len(rest) > action.over:
                    kept = [*system, Message(role="user", content=action.text), *rest[len(rest) - action.keep :]]
            case DropInstructions():
                kept = [item for item in kept if not carries_instructions(at(item).content, scene)]
            case Insert():
                kept.insert(action.at, action.message)
            case _:
                continue
    return kept
