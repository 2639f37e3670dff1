"""The examples, called in this process as a shell would call them, or run as a reader runs them."""

from __future__ import annotations

import runpy
import shlex
import subprocess
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")
_OWN = ("OPENAI_BASE_URL", "OPENAI_API_KEY", "MODEL")


class Ended(NamedTuple):
    """A program that has ended."""

    code: int
    out: str
    err: str


def call(command: str, folder: Path, env: Mapping[str, str] | None = None) -> Ended:
    """Call `python examples/…` in a folder, without proxies and keys."""
    program, *arguments = _words(command)
    out, err = StringIO(), StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        for name in (*_OWN, *_PROXIES, *map(str.lower, _PROXIES)):
            patch.delenv(name, raising=False)
        for name, value in (env or {}).items():
            patch.setenv(name, value)
        patch.chdir(folder)
        patch.setattr(sys, "argv", [program, *arguments])
        patch.syspath_prepend(EXAMPLES)
        try:
            runpy.run_path(str(ROOT / program), run_name="__main__")
        except SystemExit as end:
            if isinstance(end.code, str):
                err.write(f"{end.code}\n")
                return Ended(1, out.getvalue(), err.getvalue())
            return Ended(int(end.code or 0), out.getvalue(), err.getvalue())
    return Ended(0, out.getvalue(), err.getvalue())


def run(command: str, folder: Path, env: Mapping[str, str] | None = None) -> Ended:
    """Run `python examples/…` in a folder as a process, in an environment without proxies and keys."""
    for name in ("examples", "features"):
        if not (folder / name).exists():
            (folder / name).symlink_to(ROOT / name)
    ran = subprocess.run(
        [sys.executable, *_words(command)],
        cwd=folder,
        env={"PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1", **(env or {})},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    return Ended(ran.returncode, ran.stdout, ran.stderr)


def _words(command: str) -> list[str]:
    python, *words = shlex.split(command)
    assert python == "python"
    return words
