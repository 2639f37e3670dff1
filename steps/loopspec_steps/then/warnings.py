"""Then: warnings and the log."""

from __future__ import annotations

import posixpath
import re

from loopspec.contract.mismatch import Mismatch, expect
from loopspec.contract.observation import Observation

from ..cells import names
from ..phrasebook import then

CHINESE = re.compile(r"[一-鿿]")


def _warned(seen: Observation) -> list[str]:
    """The paths warned about, in normal form, in order."""
    return [posixpath.normpath(warning.path) for warning in seen.warnings]


@then("a warning is given")
def a_warning_is_given(seen: Observation) -> None:
    """At least one warning is given about any file."""
    if not seen.warnings:
        raise Mismatch("the warnings", "at least one", "none")


@then("no warning is given")
def no_warning_is_given(seen: Observation) -> None:
    """No warning is given about any file."""
    expect("the files warned about", [], _warned(seen))


@then("1 warning is given in run {run:d}")
def one_warning_in_run(seen: Observation, run: int) -> None:
    """Exactly one warning is given in the run."""
    expect(f"the number of warnings in run {run}", 1, sum(warning.run == str(run) for warning in seen.warnings))


@then("the warnings name {paths}")
def warnings_name(seen: Observation, paths: str) -> None:
    """The files with a warning, each at least once and no others. Paths are compared in normal form."""
    expect("the files warned about, sorted", sorted(set(names(paths))), sorted(set(_warned(seen))))


@then("the warnings name, in this order, {paths}")
def warnings_name_in_order(seen: Observation, paths: str) -> None:
    """The files with a warning in order, each exactly once. Paths are compared in normal form."""
    expect("the files warned about", list(names(paths)), _warned(seen))


@then("the warnings contain no Chinese")
def warnings_not_chinese(seen: Observation) -> None:
    """There are warnings, and their texts have no Chinese character."""
    a_warning_is_given(seen)
    expect("the Chinese warnings", [], [w.message for w in seen.warnings if CHINESE.search(w.message)])


@then('the log names "{path}"')
def log_names(seen: Observation, path: str) -> None:
    """The default log has a line with the path."""
    if not any(path in line for line in seen.log):
        raise Mismatch("the log", f"a line that names {path}", seen.log)


@then("the log names nothing")
def log_names_nothing(seen: Observation) -> None:
    """The default log has no line that names a file with a warning."""
    expect("the lines in the log", [], [line for line in seen.log if any(path in line for path in _warned(seen))])
