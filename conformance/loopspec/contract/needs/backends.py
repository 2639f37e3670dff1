"""The needs of the steps on the target's own backend."""

from __future__ import annotations

from ..capabilities import Capability
from ..scene import Ask, Break, Scene, StoreFault, Write

_FAULTS: dict[StoreFault, Capability] = {
    "permission": "fault-permission",
    "io": "fault-io",
    "outside": "fault-outside",
}


def of_backend(scene: Scene) -> set[Capability]:
    """Return the capabilities that the backend steps of a scene need."""
    needed: set[Capability] = set()
    folders = {path[:at] for path in scene.files for at, letter in enumerate(path) if letter == "/" and at}
    for step in scene.backend:
        match step:
            case Write():
                needed.add("edits")
            case Break():
                needed.add(_FAULTS[step.kind])
            case Ask():
                if any(request.offset != 1 or request.limit for request in step.requests):
                    needed.add("line-ranges")
                if any(request.file_path.rstrip("/") in folders for request in step.requests):
                    needed.add("directories")
    return needed
