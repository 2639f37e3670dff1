"""The rules for backends, for handlers and for readers of instruction files, as classes for your own test module:

from loopspec.testing import BackendConformance, HandlerConformance, WorkspaceConformance

class TestMyBackend(BackendConformance):
    factory = MyBackend  # called with {"docs/notes.md": b"..."}: relative paths and their contents
    capabilities = ("directories",)
    known = {"BACKEND-49 :: An empty file named \"notes.md\" and another file": "the store has no empty files"}

class TestMyBackendOnDisk(BackendConformance):
    @pytest.fixture
    def open_backend(self, tmp_path):
        def open_backend(files):
            folder = tempfile.mkdtemp(dir=tmp_path)  # called several times in a test: each time an empty place
            ...
            return MyBackend(folder)  # has read(request), see loopspec.Backend
        return open_backend

class TestMyMiddleware(HandlerConformance):  # of LangChain, pydantic-ai, or loopspec_reference
    changes = ("tool-errors",)

    @pytest.fixture
    def make_handler(self):
        return MyMiddleware

class TestMyReader(WorkspaceConformance):
    dialect = "codex"  # the tool whose documents judge the reader

    @pytest.fixture
    def read_workspace(self):
        return my_read_workspace  # (cwd, home) -> loopspec.WorkspaceReading
"""

from .pytest_plugin.conformance import BackendConformance, OpenBackend, ReadWorkspace, WorkspaceConformance
from .pytest_plugin.handlers import HandlerConformance, MakeHandler

__all__ = [
    "BackendConformance",
    "HandlerConformance",
    "MakeHandler",
    "OpenBackend",
    "ReadWorkspace",
    "WorkspaceConformance",
]
