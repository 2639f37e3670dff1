"""Smaller scenes: what is left of a scene when one of its values is omitted."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import TypeVar

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields, replace

from loopspec.contract.agents import Turn
from loopspec.contract.scene import File, Scene
from loopspec.contract.workspaces import Entry, Workspace, sentinel

from .backends import less_of_backend
from .doubles import HELLO

T = TypeVar("T")

# Each run of a scene has these in common, so they are omitted in all runs together.
_SHARED = ("session", "streaming", "cancellable", "cancels", "answers", "call_answers")
# A run can have these alone.
_OF_ONE_RUN = ("session", "call_answers")


def smaller(scene: Scene) -> Iterator[Scene]:
    """The scenes with one value less, the largest omissions first; before them, the scene with default ids of calls."""
    if scene.workspace is not None:
        for workspace in _less_of_workspace(scene.workspace):
            yield replace(scene, workspace=workspace)
        return
    if scene.act == "read":
        yield from less_of_backend(scene)
        return
    if (renumbered := _renumbered(scene)) != scene:
        yield renumbered
    yield from _with_less_runs(scene)
    yield from _with_less_conversation(scene)
    for agent in _less(scene.agent) if scene.act == "run" else ():
        yield replace(scene, agent=agent)
    for files in _less_of_dict(scene.files):
        yield replace(scene, files=files)
    if scene.message_type != "message":
        yield replace(scene, message_type="message")
    if scene.instructions is not None and scene.act == "load":
        for config in _less(scene.instructions):
            handlers = tuple(replace(handler, config=config) for handler in scene.agent.handlers)
            yield replace(scene, instructions=config, agent=replace(scene.agent, handlers=handlers))


def _with_less_runs(scene: Scene) -> Iterator[Scene]:
    """The scene without the last run, or with runs that have less."""
    if len(scene.runs) > 1:
        yield replace(scene, runs=scene.runs[:-1])
    for name in _SHARED:
        runs = tuple(replace(run, **{name: _default(run, name)}) for run in scene.runs)
        if runs != scene.runs:
            yield replace(scene, runs=runs, held=() if name == "cancels" else scene.held)
    for at, run in enumerate(scene.runs) if len(scene.runs) > 1 else ():
        for name in _OF_ONE_RUN:
            for values in _less_of_dict(getattr(run, name)):
                yield replace(scene, runs=(*scene.runs[:at], replace(run, **{name: values}), *scene.runs[at + 1 :]))


def _with_less_conversation(scene: Scene) -> Iterator[Scene]:
    """The scene with the default conversation, and with one message less; a resumed run has no messages."""
    if scene.messages == (HELLO,):
        return
    shorter = (scene.messages[:at] + scene.messages[at + 1 :] for at in range(len(scene.messages)))
    for messages in ((HELLO,), *shorter):
        runs = tuple(run if run.resume else replace(run, messages=messages) for run in scene.runs)
        yield replace(scene, messages=messages, runs=runs)


def _renumbered(scene: Scene) -> Scene:
    """The scene with the ids that calls have without ids of their own."""
    model = scene.agent.model
    if model is None:
        return scene
    numbers = count(1)
    turns = tuple(
        replace(turn, tool_calls=tuple(replace(call, id=f"call {next(numbers)}") for call in turn.tool_calls))
        for turn in model.turns
    )
    return replace(scene, agent=replace(scene.agent, model=replace(model, turns=turns)))


def _less_of_workspace(workspace: Workspace) -> Iterator[Workspace]:
    """The workspace with one entry less, one folder higher, in the default folder, and with less in an entry."""
    entries = workspace.entries
    for path in entries:
        yield replace(workspace, entries={name: one for name, one in entries.items() if name != path})
    if workspace.working_directory != (usual := Workspace().working_directory):
        yield replace(workspace, working_directory=usual)
        yield from _one_folder_higher(workspace)
    for path, entry in entries.items():
        for less in _less_of_entry(path, entry):
            yield replace(workspace, entries={**entries, path: less})


def _one_folder_higher(workspace: Workspace) -> Iterator[Workspace]:
    """The workspace with the working directory and its entries in the folder above, unless an entry is there."""
    here = workspace.working_directory
    above = here.rpartition("/")[0]
    places = {path: path.replace(f"{here}/", f"{above}/", 1) for path in workspace.entries}
    if len(set(places.values())) < len(places):
        return
    entries = {
        places[path]: replace(entry, text=entry.text.replace(path, places[path])) if entry.text else entry
        for path, entry in workspace.entries.items()
    }
    yield replace(workspace, entries=entries, working_directory=above)


def _less_of_entry(path: str, entry: Entry) -> Iterator[Entry]:
    """A file with its first line alone, and with one line less."""
    if entry.kind == "repository":
        return
    alone = f"{sentinel(path)}\n"
    if entry != Entry(text=alone):
        yield Entry(text=alone)
    first, *lines = (entry.text or "").split("\n")
    for at in range(len(lines)):
        less = "\n".join([first, *lines[:at], *lines[at + 1 :]])
        if less != first and replace(entry, text=less) != entry:
            yield replace(entry, text=less)


def _default(value: Struct, name: str) -> object:
    field = next(field for field in fields(value) if field.name == name)
    return field.default_factory() if callable(field.default_factory) else field.default


def _less(value: T) -> Iterator[T]:
    """The values of the same type with one part less."""
    match value:
        case File():
            yield from _less_of_file(value)  # type: ignore[misc]  # a File again
        case Struct():
            yield from _less_of_struct(value)  # type: ignore[misc]  # a struct of the same type again
        case tuple():
            # the last answer of a model stays: a run that needs one more is another scene
            for at in range(len(value) - _ends_with_answer(value)):
                yield (*value[:at], *value[at + 1 :])  # type: ignore[misc]  # a tuple again
            for at, one in enumerate(value):
                for less in _less(one):
                    yield (*value[:at], less, *value[at + 1 :])  # type: ignore[misc]  # likewise
        case dict():
            yield from _less_of_dict(value)  # type: ignore[misc]  # a dictionary again


def _ends_with_answer(values: tuple[object, ...]) -> bool:
    return bool(values) and isinstance(values[-1], Turn)


def _less_of_struct(value: Struct) -> Iterator[Struct]:
    for field in fields(value):
        content = getattr(value, field.name)
        default = field.default_factory() if callable(field.default_factory) else field.default
        if default is NODEFAULT or content == default:
            if default is NODEFAULT and not isinstance(content, str):
                for less in _less(content):
                    yield replace(value, **{field.name: less})
            continue
        yield replace(value, **{field.name: default})
        for less in _less(content):
            yield replace(value, **{field.name: less})


def _less_of_dict(value: dict[str, T]) -> Iterator[dict[str, T]]:
    for key in value:
        yield {name: one for name, one in value.items() if name != key}
    for key, one in value.items():
        for less in _less(one):
            yield {**value, key: less}


def _less_of_file(file: File) -> Iterator[File]:
    if file.text and file.fault:
        yield replace(file, text=None)
    if file.base64 is not None:
        yield File(text=file.base64.decode(errors="ignore"), fault=file.fault)
    words = (file.text or "").split()
    if words and file.text != " ".join(words):
        yield replace(file, text=" ".join(words))
    for at in range(len(words)):
        yield replace(file, text=" ".join([*words[:at], *words[at + 1 :]]))
    if file.fault and file.text is not None:
        yield replace(file, fault=None)
