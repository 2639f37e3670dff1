"""The cost of the pytest plugin in an unrelated project, and the gain of workers on LangChain."""

from __future__ import annotations

import importlib.util
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median

from ..pages import ADAPTERS
from .measuring import LeftOut, Row, best_in_turns, run_silently, seconds

PAIRS = 20
COLLECTED = 0.02  # seconds
ROUNDS = 3


def rows(short: bool) -> Iterator[Row | LeftOut]:
    """Measure the plugin, and LangChain if it is installed."""
    yield _collected(2 if short else PAIRS)
    if importlib.util.find_spec("langchain") is None:
        yield LeftOut("LangChain, two workers", "LangChain is not installed")
        return
    command = [sys.executable, *"-m loopspec run py:langchain_adapter:LangChain --baseline=baseline.toml -q".split()]
    command += ["--rule", "LOOP-03", "--variants", "none"] if short else []
    run = partial(run_silently, *command, folder=ADAPTERS / "langchain")
    rounds = 1 if short else ROUNDS
    one, two = best_in_turns(rounds, lambda: seconds(partial(run, "-n1")), lambda: seconds(partial(run, "-n2")))
    yield Row("LangChain, two workers", two, one, "one worker", 0.65)


def _collected(pairs: int) -> Row:
    """The median time that the plugin adds to the collection of one test, in pairs with and without it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "test_one.py").write_text("def test_one() -> None:\n    pass\n")
        pytest = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-pno:cacheprovider", "-pno:pytest-bdd"]
        run = partial(run_silently, *pytest, folder=folder)
        added = [seconds(run) - seconds(partial(run, "-pno:loopspec")) for _ in range(pairs)]
    return Row("plugin in an unrelated project", median(added), COLLECTED, f"{COLLECTED:g} s", 1)
