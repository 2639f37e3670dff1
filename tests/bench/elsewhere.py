"""What the pytest plugin costs a project that has nothing to do with us, and what workers save on LangChain."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from .measuring import Row

PAIRS = 20
COLLECTED = 0.02  # seconds
ROUNDS = 3
LANGCHAIN = Path(__file__).parents[2] / "conformance/adapters/langchain"


def rows() -> Iterator[Row]:
    """LangChain where it is installed."""
    yield _collected()
    if importlib.util.find_spec("langchain") is None:
        print("the workers on LangChain are left out: it is not installed")
        return
    command = [
        sys.executable,
        "-m",
        "loopspec",
        "run",
        "py:langchain_adapter:LangChain",
        "--baseline=baseline.toml",
        "-q",
    ]
    one, two = [], []
    for _ in range(ROUNDS):  # in turns, so that whatever else the machine does disturbs both alike
        one.append(_seconds([*command, "-n1"], LANGCHAIN))
        two.append(_seconds([*command, "-n2"], LANGCHAIN))
    yield Row("LangChain, two workers", min(two), min(one), "one worker", 0.65)


def _collected() -> Row:
    """The median of what the plugin adds to the collection of one test, in pairs with and without it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "test_one.py").write_text("def test_one() -> None:\n    pass\n")
        pytest = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-pno:cacheprovider", "-pno:pytest-bdd"]
        added = [_seconds(pytest, folder) - _seconds([*pytest, "-pno:loopspec"], folder) for _ in range(PAIRS)]
    return Row("plugin in an unrelated project", median(added), COLLECTED, f"{COLLECTED:g} s", 1)


def _seconds(command: list[str], folder: Path) -> float:
    began = time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began
