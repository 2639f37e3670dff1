"""The suite against the same scenarios without content, against empty tests, and without pytest."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from loopspec.contract.specification import features_root
from loopspec.engine.judge import judge
from loopspec.pytest_plugin.pytesting import lean_options
from loopspec.specification.features import compile_file, compiled
from loopspec.targets.resolve import resolve
from loopspec_steps import BOOK, Phrase, phrasebook

from .measuring import Row, best_of

ROUNDS = 5

# A feature in a module of its own, with the sentences it uses as steps of pytest-bdd that do nothing: the ordinary way.
EMPTY_PHRASES = """
import pytest_bdd
from pytest_bdd.parsers import parse

class Hole:
    def __init__(self, pattern):
        self.pattern = pattern
    def __call__(self, text):
        return text

HOLES = {name: Hole(pattern) for name, pattern in PATTERNS.items()}

"""
EMPTY_PHRASE = """
@pytest_bdd.KIND(parse(SENTENCE, HOLES))
def step_NUMBER():
    pass
"""

# All features with one step that fits every sentence and does nothing: the least that pytest-bdd can cost.
EMPTY_STEPS = """
import pytest, pytest_bdd
from pytest_bdd.parsers import StepParser

class Anything(StepParser):
    def is_matching(self, name):
        return True
    def parse_arguments(self, name):
        return {}

@pytest_bdd.given(Anything("given"))
def given_anything(datatable=None, docstring=None):
    pass

@pytest_bdd.when(Anything("when"))
def when_anything(datatable=None, docstring=None):
    pass

@pytest_bdd.then(Anything("then"))
def then_anything(datatable=None, docstring=None):
    pass

pytest_bdd.scenarios(FEATURES)
"""

NO_TAGS = """
import pytest

@pytest.hookimpl(tryfirst=True)
def pytest_bdd_apply_tag(tag, function):
    return True
"""

EMPTY_TESTS = """
import pytest

@pytest.mark.parametrize("n", range(COUNT))
def test_nothing(n):
    pass
"""


def rows() -> list[Row]:
    """The suite as a process, against the same process without content; and the compiled suite in this one."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "no_tags.py").write_text(NO_TAGS)
        steps = _written(folder / "steps/test_steps.py", EMPTY_STEPS.replace("FEATURES", repr(str(features_root()))))
        phrases = _phrase_modules(folder / "phrases")
        tests = _written(folder / "tests/test_empty.py", EMPTY_TESTS.replace("COUNT", str(len(compiled()))))
        lean = [sys.executable, "-m", "pytest", *lean_options(folder)]
        suite, empty_phrases, empty_steps, empty_tests = [], [], [], []
        for _ in range(ROUNDS):  # in turns, so that whatever else the machine does disturbs all alike
            suite.append(_timed([sys.executable, "-m", "loopspec", "run", "reference", "--quiet"], folder))
            empty_phrases.append(_timed([*lean, "-pno_tags", str(phrases)], folder))
            empty_steps.append(_timed([*lean, "-pno_tags", str(steps)], folder))
            empty_tests.append(_timed([*lean, str(tests)], folder))
    count = len(compiled())
    judging = _judging()
    return [
        Row(f"suite, {count} cases", min(suite), min(empty_phrases), "the same scenarios, steps do nothing", 1.5),
        Row(f"suite, {count} cases", min(suite), min(empty_steps), "the same, one step fits all and does nothing"),
        Row(f"suite, {count} cases", min(suite), min(empty_tests), f"{count} empty pytest tests", 4),
        Row("compiled suite, judged", judging, min(suite), "the suite", 10, faster=True),
        Row("compiled suite, compiled and judged", judging + _compiling(), min(suite), "the suite", faster=True),
    ]


def _phrase_modules(folder: Path) -> Path:
    """A module for each feature, with just the phrases that it uses."""
    used: dict[str, set[Phrase]] = {}
    for case in compiled():
        phrases = used.setdefault(case.file, set())
        phrases |= {BOOK.match(step.kind, step.text).phrase for step in case.steps}
    folder.mkdir()
    for file, phrases in used.items():
        text = EMPTY_PHRASES.replace("PATTERNS", repr({name: hole.pattern for name, hole in phrasebook._HOLES.items()}))
        for number, phrase in enumerate(sorted(phrases, key=lambda phrase: phrase.sentence)):
            step = EMPTY_PHRASE.replace("KIND", phrase.kind).replace("NUMBER", str(number))
            text += step.replace("SENTENCE", repr(phrase.pattern))
        text += f"\npytest_bdd.scenarios({str(features_root() / file)!r})\n"
        (folder / f"test_{file.replace('/', '_').removesuffix('.feature')}.py").write_text(text)
    return folder


def _written(path: Path, text: str) -> Path:
    path.parent.mkdir()
    path.write_text(text)
    return path


def _timed(command: list[str], folder: Path) -> float:
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(folder)}
    began = time.perf_counter()
    subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def _judging() -> float:
    """Seconds to judge every case, all of which must pass."""
    target, cases = resolve("reference"), compiled()

    def once() -> float:
        began = time.perf_counter()
        verdicts = {judge(case, target).verdict for case in cases}
        took = time.perf_counter() - began
        assert verdicts == {"passed"}
        return took

    seconds = best_of(once, 3 * ROUNDS)
    target.close()
    return seconds


def _compiling() -> float:
    """Seconds to compile all features."""
    root = features_root()

    def once() -> float:
        began = time.perf_counter()
        assert sum(1 for path in sorted(root.rglob("*.feature")) for _ in compile_file(path, root)) == len(compiled())
        return time.perf_counter() - began

    return best_of(once, ROUNDS)
