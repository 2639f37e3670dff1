"""The adapter between loopspec and my implementation. Run: loopspec run py:loopspec_adapter:Adapter

Each method is a role. Keep the roles that your implementation has, delete the others, and declare what else it can do:
`loopspec capabilities` lists what there is. `loopspec doctor py:loopspec_adapter:Adapter` checks this file.
"""

from loopspec import ReadRequest


class Adapter:
    """What `loopspec run` builds, once, by calling it without arguments."""

    name = "my implementation"
    version = "0.1.0"
    capabilities = ("edits",)

    # Your exceptions by the kinds of the contract: {NotStored: "not_exist", Forbidden: "permission"}. Other kinds are
    # directory, io, invalid_config, max_iterations, unknown_tool; `loopspec protocol --page` has all of them. Python's
    # own file errors, such as FileNotFoundError, need no entry. Any other exception is reported as "other".
    error_kinds: dict[type[Exception], str] = {}

    # Role backend: reads files. This backend is a dictionary; put yours in its place.
    def open(self, files: dict[str, bytes]) -> "Backend":
        return Backend(files)

    # Role loader: turns instruction files into ordered sections, and reports which paths it warned about.
    # backend.read(ReadRequest(file_path=path)) returns str or bytes and raises OSErrors. May be async: then await it.
    #
    # def load(self, backend, files, max_bytes):
    #     return [(path, text), ...], [warned_path, ...]

    # Role middleware: config has backend, files, max_bytes, on_warning(path) and message_type; refuse it by raising.
    # Return an object with before_model(messages, run) -> messages, of loopspec.Message; run.local is kept until the
    # run ends. Both may be async.
    #
    # def middleware(self, config):
    #     return MyMiddleware(config)

    # Role agent: build stage.scene.agent from stage.doubles and perform stage.runs. The agent is described by the
    # classes of loopspec.contract.agents; what the doubles take and return, such as loopspec.ModelRequest and
    # loopspec.ToolAnswer, is in loopspec. Report every event, the error of a failed run among them:
    # stage.runs.event(agent, error=error). The worked example is loopspec_reference_adapter/agent.py.
    #
    # async def perform(self, stage):
    #     ...

    # Role plugins: the same with the plugin layer's middlewares, which have states of their own: pass what a hook sees
    # as `view`, and report what registries answer to stage.outcomes. The worked example is scripted.py, next to
    # agent.py.
    #
    # async def perform_plugins(self, stage):
    #     ...

    # Role handler: a handler written for the reference's loop, a loopspec_reference.Handler. Called for each scene.
    #
    # def handler(self):
    #     return MyHandler()

    # Role workspace: reads the instruction files of a folder tree as one tool does. cwd and home are pathlib.Paths.
    # Return the texts that a model receives, in order. `loopspec init py --role workspace` writes an adapter that runs.
    #
    # dialect = "codex"  # whose documents judge the reader: `loopspec capabilities` lists the dialects
    #
    # def read_workspace(self, cwd, home):
    #     return WorkspaceReading([WorkspaceFile(path, text), ...], [warning, ...])  # both are classes of loopspec


class Backend:
    """A store to begin with."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = dict(files)

    def read(self, request: ReadRequest) -> bytes:
        if request.file_path not in self.files:
            raise FileNotFoundError(request.file_path)
        return self.files[request.file_path]

    # Capability edits.
    def write(self, path: str, content: bytes) -> None:
        self.files[path] = content
