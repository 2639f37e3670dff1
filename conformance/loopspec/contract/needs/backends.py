"""The needs of the steps on the target's own backend."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..capabilities import Capability
from ..scene import (
    Ask,
    BackendStep,
    Break,
    CancelRead,
    Close,
    Delete,
    FailStore,
    Link,
    Meanwhile,
    ReadRequest,
    Repeat,
    Scene,
    StoreFailure,
    StoreFault,
    Write,
)

_FAULTS: dict[StoreFault, Capability] = {
    "permission": "fault-permission",
    "io": "fault-io",
    "outside": "fault-outside",
}
_FAILURES: dict[StoreFailure, Capability] = {
    "gone": "fault-gone",
    "timeout": "fault-timeout",
    "refused": "fault-refused",
    "container": "fault-container",
}


def of_backend(scene: Scene) -> set[Capability]:
    """Return the capabilities that the backend steps of a scene need."""
    needed: set[Capability] = set()
    for step in _steps(scene.backend):
        needed |= _of_step(step)
        for request in _requests(step):
            needed |= _of_request(request, scene)
    return needed


def _steps(steps: Sequence[BackendStep]) -> Iterator[BackendStep]:
    """The steps, and those inside others."""
    for step in steps:
        yield step
        if isinstance(step, Meanwhile):
            yield from step.steps


def _of_step(step: BackendStep) -> set[Capability]:
    match step:
        case Write():
            return {"edits"}
        case Delete():
            return {"deletes"}
        case Break():
            return {_FAULTS[step.kind]}
        case FailStore():
            return {_FAILURES[step.kind]}
        case Link():
            return {"links"}
        case Repeat():
            return {"resources"}
        case CancelRead():
            return {"cancel-read"}
        case Close():
            return {"closes"}
        case Ask() | Meanwhile():
            return set()


def _requests(step: BackendStep) -> Sequence[ReadRequest]:
    match step:
        case Ask() | Meanwhile():
            return step.requests
        case Repeat() | CancelRead():
            return (step.request,)
        case _:
            return ()


def _of_request(request: ReadRequest, scene: Scene) -> set[Capability]:
    needed: set[Capability] = set()
    if request.offset != 1 or request.limit:
        needed.add("line-ranges")
    if "{outside}" in request.file_path:
        needed.add("confined")
    if _needs_folders(request.file_path, scene):
        needed.add("directories")
    return needed


def _needs_folders(path: str, scene: Scene) -> bool:
    """Whether only a store with folders can read the path: a folder, a joined path, or a path below a file.

    In a store without folders, a path is a key. A path with a placeholder is never stored.
    """
    if "{" in path:
        return False
    folders = {file[:at] for file in scene.files for at, letter in enumerate(file) if letter == "/" and at}
    parts = path.split("/")
    joined = path not in scene.files and any(part in ("", ".", "..") for part in path.removeprefix("/").split("/"))
    below = any("/".join(parts[:at]) in scene.files for at in range(1, len(parts)))
    return path.rstrip("/") in folders or joined or below
