"""Performs programs that share their imports: `python performing.py FILE …` prints a line of JSON for each.

The modules are imported once, and each program runs in a process that begins with them. A line has the name of the
program without its suffix, what the program printed, and its errors: empty, unless the program failed.
"""

from __future__ import annotations

import ast
import json
import os
import runpy
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import IO

_SECONDS = 60  # for one program


def _perform(file: Path) -> dict[str, str]:
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = os.fork()
        if not process:
            _run(file, output, errors)
        _, status = os.waitpid(process, 0)
        said = {"output": _text(output), "errors": _text(errors) if status else ""}
        if os.WIFSIGNALED(status):
            said["errors"] += f"ended by {signal.Signals(os.WTERMSIG(status)).name}"
        return {"cause": file.stem} | said


def _run(file: Path, output: IO[bytes], errors: IO[bytes]) -> None:
    """Run a program in this process, which ends with it."""
    code = 1
    try:
        for target, stream in ((1, output), (2, errors)):
            os.dup2(stream.fileno(), target)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(_SECONDS)
        sys.argv = [str(file)]
        runpy.run_path(str(file), run_name="__main__")
        code = 0
    except BaseException as error:
        sys.excepthook(type(error), error, error.__traceback__)
    finally:
        with suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


def _text(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read().decode("utf-8", "replace")


def _modules(files: Sequence[Path]) -> Iterator[str]:
    """The modules that the programs import at their beginning."""
    for file in files:
        for node in ast.parse(file.read_bytes()).body:
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                yield node.module


def _main() -> None:
    files = [Path(word).resolve() for word in sys.argv[1:]]
    sys.path.insert(0, str(files[0].parent))
    for module in dict.fromkeys(_modules(files)):
        with suppress(Exception):  # a program that needs it says so
            import_module(module)
    for file in files:
        sys.stdout.write(json.dumps(_perform(file)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _main()
