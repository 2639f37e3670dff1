"""The cost of the pytest plugin in an unrelated project, and the gain of workers on LangChain."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from .measuring import LeftOut, Row

PAIRS = 20
COLLECTED = 0.02  # seconds
ROUNDS = 3
LANGCHAIN = Path(__file__).parents[2] / "conformance/adapters/langchain"


def rows(short: bool) -> Iterator[Row | LeftOut]:
    """Measure the plugin, and LangChain if it is installed."""
    yield _collected(2 if short else PAIRS)
    if importlib.util.find_spec("langchain") is None:
        yield LeftOut("LangChain, two workers", "LangChain is not installed")
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
    command += ["--area", "LOOP"] if short else []
    one, two = [], []
    for _ in range(1 if short else ROUNDS):  # in turns, so that other load of the machine disturbs both alike
        one.append(_seconds([*command, "-n1"], LANGCHAIN))
        two.append(_seconds([*command, "-n2"], LANGCHAIN))
    yield Row("LangChain, two workers", min(two), min(one), "one worker", 0.65)


def _collected(pairs: int) -> Row:
    """The median time that the plugin adds to the collection of one test, in pairs with and without it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "test_one.py").write_text("def test_one() -> None:\n    pass\n")
        pytest = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-pno:cacheprovider", "-pno:pytest-bdd"]
        added = [_seconds(pytest, folder) - _seconds([*pytest, "-pno:loopspec"], folder) for _ in range(pairs)]
    return Row("plugin in an unrelated project", median(added), COLLECTED, f"{COLLECTED:g} s", 1)


def _seconds(command: list[str], folder: Path) -> float:
    began = time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began
