"""The rules for backends, as a class for a test module of one's own:

from loopspec.testing import BackendConformance

class TestMyBackend(BackendConformance):
    capabilities = ("directories",)

    @pytest.fixture
    def open_backend(self, tmp_path):
        def open_backend(files):  # {"docs/notes.md": b"..."}: relative paths and their contents
            ...
            return MyBackend(tmp_path)  # has read(request), see loopspec.Backend
        return open_backend
"""

from .pytest_plugin.conformance import BackendConformance, OpenBackend

__all__ = ["BackendConformance", "OpenBackend"]
