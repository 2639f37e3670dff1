"""The adapter between loopspec and my backend. Run: loopspec run py:loopspec_backend:Adapter

The backend below is a folder on the disk: put yours in its place. `loopspec doctor py:loopspec_backend:Adapter` checks
this file. `loopspec fuzz py:loopspec_backend:Adapter` generates calls and compares the backend with the reference.
"""

import tempfile
from pathlib import Path

from loopspec import CannotStore, ReadRequest


class Adapter:
    """What `loopspec run` builds, once, by calling it without arguments."""

    name = "my backend"
    version = "0.1.0"

    # What else the backend can do: `loopspec capabilities` lists what there is. Capabilities to add here are
    # line-ranges (offset and limit pick lines), links, confined, closes, and the faults: fault-permission and fault-io
    # need fault(path, kind), fault-gone and the other failures of a whole store need fail(kind).
    capabilities = ("directories", "edits")

    # Your exceptions by the kinds of the contract: {NotStored: "not_exist"}. Python's own file errors need no entry.
    error_kinds: dict[type[Exception], str] = {}

    # Return a backend that stores these files. The paths are relative. The method may be async.
    def open(self, files: dict[str, bytes]) -> "Backend":
        backend = Backend()
        try:
            for path, content in files.items():
                backend.write(path, content)
        except CannotStore:
            backend.close()
            raise
        return backend


class Backend:
    """A folder to begin with. Each method may be async."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)

    # Return str or bytes. Raise FileNotFoundError for a missing file, and another error for any other failure.
    def read(self, request: ReadRequest) -> bytes:
        return (self.root / request.file_path).read_bytes()

    # Capability edits. Refuse a name that the backend cannot store, and rename nothing.
    def write(self, path: str, content: bytes) -> None:
        file = self.root / path
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            new = self.root / ".new"
            new.write_bytes(content)
            new.replace(file)  # a concurrent read returns the old content or the new one
        except (OSError, ValueError) as error:
            raise CannotStore(path) from error

    # Called at the end of each case.
    def close(self) -> None:
        self.folder.cleanup()
