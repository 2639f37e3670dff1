"""Puts my implementation before loopspec. Run: loopspec run py:loopspec_adapter:Adapter

Each method is a role. Keep those that you have something for, delete the rest, and declare what yours can do besides:
`loopspec capabilities` has the list.
"""

from loopspec import ReadRequest


class Adapter:
    """What `loopspec run` builds, once, by calling it without arguments."""

    name = "my implementation"
    version = "0.1.0"
    capabilities = ("directories", "edits")

    # Role backend: reads files. This one is a dictionary; put yours in its place.
    def open(self, files: dict[str, bytes]) -> "Backend":
        return Backend(files)

    # Role loader: turns instructions files into ordered sections, and tells which paths it warned about.
    # backend.read(ReadRequest(file_path=path)) returns str or bytes and raises OSErrors. May be async.
    #
    # def load(self, backend, files, max_bytes):
    #     return [(path, text), ...], [warned_path, ...]

    # Role middleware: config has backend, files, max_bytes, on_warning(path) and message_type; refuse it by raising.
    # What is returned has before_model(messages, run) -> messages, of loopspec.Message; run.local lives as long as
    # the run. Both may be async.
    #
    # def middleware(self, config):
    #     return MyMiddleware(config)

    # Role agent: build stage.scene.agent out of stage.doubles and let stage.runs happen. What it is made of are the
    # classes of loopspec.contract.agents; what passes the doubles, as loopspec.ModelRequest and loopspec.ToolAnswer,
    # is in loopspec. The worked example is loopspec/targets/reference/agent.py.
    #
    # async def perform(self, stage):
    #     ...

    # Role plugins: the same with the plugin layer's middlewares, which have states of their own: build them out of
    # stage.middlewares, and let registries answer to stage.outcomes. The worked example is scripted.py beside it.
    #
    # async def perform_plugins(self, stage):
    #     ...

    # Role handler: a handler written for the reference's loop, a loopspec_reference.Handler. Called for each scene.
    #
    # def handler(self):
    #     return MyHandler()


class Backend:
    """A store to begin with."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = dict(files)

    def read(self, request: ReadRequest) -> bytes:
        path = request.file_path
        if path in self.files:
            return self.files[path]
        if any(name.startswith(path + "/") for name in self.files):
            raise IsADirectoryError(path)
        raise FileNotFoundError(path)

    # Capability edits.
    def write(self, path: str, content: bytes) -> None:
        self.files[path] = content
