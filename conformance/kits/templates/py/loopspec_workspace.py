"""The adapter between loopspec and my reader of instruction files. Run: loopspec run py:loopspec_workspace:Adapter

The reader below is a small one: put yours in its place. `loopspec doctor py:loopspec_workspace:Adapter` checks this
file. `loopspec show FOLDER --as codex` prints what a complete reader loads in a folder.
"""

from pathlib import Path

from loopspec import WorkspaceFile, WorkspaceReading


class Adapter:
    """What `loopspec run` builds, once, by calling it without arguments."""

    name = "my reader"
    version = "0.1.0"

    # The tool whose documents judge the reader: `loopspec capabilities` lists the dialects.
    dialect = "codex"

    # Return the texts that a model receives, in order. The path of a text is None if the reader names no file. An
    # exception is a load that gives the model nothing. A reader without a search takes a third parameter,
    # `configured`: the files of its configuration. The method may be async.
    def read_workspace(self, cwd: Path, home: Path) -> WorkspaceReading:
        folders = [cwd, *cwd.parents]
        root = next((at for at, folder in enumerate(folders) if (folder / ".git").exists()), 0)
        files, warnings = [], []
        for path in [home / ".codex/AGENTS.md", *(folder / "AGENTS.md" for folder in reversed(folders[: root + 1]))]:
            try:
                if path.is_file():
                    files.append(WorkspaceFile(str(path), path.read_text(encoding="utf-8")))
            except (OSError, UnicodeDecodeError) as error:
                warnings.append(f"{path}: {error}")
        return WorkspaceReading(files, warnings)
