"""Mutants as data: each change fits the code of today, and holds in its context only."""

from __future__ import annotations

import ast
import gc

import pytest

from loopspec_instructions.reader import exclusions
from loopspec_mutants import BUGS, MUTANTS, POSTURES
from loopspec_mutants.rewriting import Change, LostError, Rewriting
from loopspec_reference import ConfigError, agentsmd
from loopspec_reference.agentsmd import backends, handler, loader, paths

PATHS = "loopspec_reference/agentsmd/paths.py"
LOST = "the refactoring lost this mutant"
LOADER = "loopspec_reference/agentsmd/loader.py"
HANDLER = "loopspec_reference/agentsmd/handler.py"
RETURN = Change(PATHS, "    cleaned = posixpath.normpath(path)", "    return path + suffix()")
SUFFIX = Change(PATHS, "def resolve(", "def suffix():\n    return '!'\n\n\ndef resolve(")

imported = vars(loader)["clean_path"]


def rewriting(*changes: Change) -> Rewriting:
    return Rewriting("is-wrong", "Is wrong.", changes, "area/topic.toml")


def test_every_change_fits_the_code_of_today() -> None:
    """A refactoring that loses mutants names all of them here; a trial finds a change without a meaning."""
    lost = []
    bugs = [mutant.bug for mutant in (*MUTANTS.values(), *BUGS.values())]
    for change in (*bugs, *(posture.patch for posture in POSTURES.values())):
        if isinstance(change, Rewriting):
            try:
                for file in change.files:
                    change.text(file)
            except LostError as error:
                lost.append(str(error))

    assert lost == []


def test_a_changed_function_is_seen_by_those_that_have_imported_it() -> None:
    with rewriting(RETURN, SUFFIX)():
        assert imported("a//b") == "a//b!"
    assert imported("a//b") == "a/b"
    assert not hasattr(paths, "suffix")


def test_what_a_cache_keeps_is_of_one_side_of_a_change_only() -> None:
    """A pattern that was compiled before or during the change is compiled again."""
    changes = rewriting(Change("loopspec_instructions/reader/exclusions.py", '"(?:.*/)?"', '"[^/]*/"'))
    seen = [bool(exclusions.glob_pattern("**/a").fullmatch("a"))]
    with changes():
        seen.append(bool(exclusions.glob_pattern("**/a").fullmatch("a")))
    seen.append(bool(exclusions.glob_pattern("**/a").fullmatch("a")))

    assert seen == [True, False, True]


def test_a_changed_method_a_new_method_and_a_new_attribute_hold_in_the_context() -> None:
    """The class keeps its identity."""
    known = loader._Loading
    changes = rewriting(
        Change(LOADER, "        return 0 < self.max_bytes < self._bytes", "        return self.level() > 1"),
        Change(
            LOADER,
            "    def over_budget(",
            "    deepest = 2\n\n    def level(self):\n        return self.deepest\n\n    def over_budget(",
        ),
    )
    load = loader._Loading(backends.MemoryBackend(), 1, lambda warning: None)

    with changes():
        assert loader._Loading is known
        assert load.over_budget()
    assert not load.over_budget()
    assert not hasattr(known, "level")
    assert not hasattr(known, "deepest")


def test_a_changed_variable_is_new_in_each_context() -> None:
    changes = rewriting(Change(HANDLER, 'MARKER = "__agentsmd_content__"', "MARKER = []"))

    with changes():
        handler.MARKER.append("left")  # type: ignore[attr-defined]  # the changed value
    with changes():
        assert handler.MARKER == []  # type: ignore[comparison-overlap]  # likewise
    assert handler.MARKER == agentsmd.MARKER == "__agentsmd_content__"


def test_an_error_leaves_the_code_as_it_was() -> None:
    with pytest.raises(ConfigError), rewriting(RETURN, SUFFIX)():
        raise ConfigError("the body fails")

    assert imported("a//b") == "a/b"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            Change(PATHS, "no such text", ""),
            f"area/topic.toml: is-wrong: {PATHS} no longer contains 'no such text'; {LOST}",
        ),
        (
            Change(PATHS, "posixpath.normpath", "normpath"),
            f"area/topic.toml: is-wrong: {PATHS} contains 2 times 'posixpath.normpath'; {LOST}",
        ),
        (
            Change(PATHS, "    # A plain", "    # Any plain"),
            f"area/topic.toml: is-wrong does not change the meaning of {PATHS}",
        ),
        (Change("loopspec_reference/missing.py", "a", "b"), "no package has the file loopspec_reference/missing.py"),
    ],
)
def test_a_change_that_does_not_fit_names_the_mutant_and_the_file(change: Change, message: str) -> None:
    with pytest.raises(LostError) as caught:
        rewriting(change).check()

    assert str(caught.value) == message


def test_a_change_that_is_no_python_is_lost() -> None:
    with pytest.raises(LostError, match="is no Python"):
        rewriting(Change(PATHS, "import posixpath", "import import")).check()


def test_nothing_is_collected_while_a_text_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lost task of an earlier mutant, collected there, would make `ast.parse` of CPython 3.11 and 3.12 fail."""
    parse, collects = ast.parse, []

    def noted(text: str) -> ast.Module:
        collects.append(gc.isenabled())
        return parse(text)

    with monkeypatch.context() as patched:
        patched.setattr(ast, "parse", noted)
        rewriting(RETURN, SUFFIX).check()

    assert set(collects) == {False}
    assert gc.isenabled()
