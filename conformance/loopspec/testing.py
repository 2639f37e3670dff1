"""The rules for backends and for handlers, as classes for a test module of one's own:

from loopspec.testing import BackendConformance, HandlerConformance

class TestMyBackend(BackendConformance):
    capabilities = ("directories",)

    @pytest.fixture
    def open_backend(self, tmp_path):
        def open_backend(files):  # {"docs/notes.md": b"..."}: relative paths and their contents
            ...
            return MyBackend(tmp_path)  # has read(request), see loopspec.Backend
        return open_backend

class TestMyMiddleware(HandlerConformance):  # of LangChain, pydantic-ai, or loopspec_reference
    changes = ("tool-errors",)

    @pytest.fixture
    def make_handler(self):
        return MyMiddleware
"""

from .pytest_plugin.conformance import BackendConformance, OpenBackend
from .pytest_plugin.handlers import HandlerConformance, MakeHandler

__all__ = ["BackendConformance", "HandlerConformance", "MakeHandler", "OpenBackend"]
