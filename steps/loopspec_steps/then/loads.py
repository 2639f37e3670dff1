"""Then: loads, the files that they show, and the files that they read."""

from __future__ import annotations

import posixpath

from loopspec.contract.agents import Config
from loopspec.contract.mismatch import Mismatch, expect
from loopspec.contract.observation import Load, Observation
from loopspec.contract.scene import Scene
from loopspec.contract.specification import example_project

from ..cells import names
from ..holes import FAULTS
from ..phrasebook import then, waives
from .failures import expect_kind_through


def the_load(seen: Observation) -> Load:
    """The outcome of the one load there was."""
    if seen.created:
        raise Mismatch("creating the handler", "no error", seen.created)
    if len(seen.loads) != 1:
        raise Mismatch("how often the files are loaded", 1, len(seen.loads))
    return seen.loads[0]


def shown(seen: Observation) -> list[str]:
    """The paths of the sections, in order."""
    load = the_load(seen)
    return [section.path for section in load.sections]


def _shown_without_error(seen: Observation) -> list[str]:
    load = the_load(seen)
    if load.error:
        raise Mismatch("loading", "no error", load.error)
    return shown(seen)


@then("creating the middleware fails")
@waives("runs")
def creating_is_refused(seen: Observation) -> None:
    """Creating the handler fails with an error."""
    if not seen.created:
        raise Mismatch("creating the handler", "an error", "a handler")


@then("creating the middleware succeeds")
def it_is_created(seen: Observation) -> None:
    """Creating the handler succeeds."""
    if seen.created:
        raise Mismatch("creating the handler", "no error", seen.created)


@then('choosing the language "{language}" fails')
def choosing_is_refused(seen: Observation, language: str) -> None:
    """Choosing the language fails with an error."""
    expect("the languages that are refused", (language,), seen.languages)


@then("the loaded files are {paths}")
def files_shown(seen: Observation, paths: str) -> None:
    """The files in the result of the load, in this order and no others. With `nothing`, the load may also fail."""
    expect("the files shown", list(names(paths)), shown(seen) if paths == "nothing" else _shown_without_error(seen))


@then("in any order, the loaded files are {paths}")
def files_shown_in_any_order(seen: Observation, paths: str) -> None:
    """The files in the result of the load, in any order, each once and no others."""
    expect("the files shown, sorted", sorted(names(paths)), sorted(_shown_without_error(seen)))


@then("no file is loaded, or the files {paths}")
def files_shown_or_nothing(seen: Observation, paths: str) -> None:
    """The result of the load has no file, or these files in this order."""
    if (found := _shown_without_error(seen)) != []:
        expect("the files shown, if any", list(names(paths)), found)


@then('"{path}" is loaded')
def is_shown(seen: Observation, path: str) -> None:
    """The file is in the result of the load exactly once."""
    expect(f"how often {path} is shown", 1, _shown_without_error(seen).count(path))


@then('"{path}" is not loaded')
def is_not_shown(seen: Observation, path: str) -> None:
    """The load succeeds, and the file is not in its result."""
    expect(f"how often {path} is shown", 0, _shown_without_error(seen).count(path))


@then('"{one}" and "{other}" are not both loaded')
def are_not_both_shown(seen: Observation, one: str, other: str) -> None:
    """The load succeeds, and at most one of the two files is in its result."""
    shown = _shown_without_error(seen)
    if one in shown and other in shown:
        raise Mismatch("the files shown", f"not both {one} and {other}", shown)


@then('"{later}" comes after "{earlier}"')
def is_shown_after(seen: Observation, later: str, earlier: str) -> None:
    """Both files are in the result of the load, in this order. Other files can lie between them."""
    order = [path for path in _shown_without_error(seen) if path in (earlier, later)]
    expect("the order of the two files", [earlier, later], order)


def _section(seen: Observation, path: str) -> str:
    found = [section.text for section in the_load(seen).sections if section.path == path]
    if len(found) != 1:
        raise Mismatch("the files shown", f"{path} among them", shown(seen))
    return found[0]


@then('the section of "{path}" is exactly')
def section_reads(seen: Observation, path: str, docstring: str) -> None:
    """The whole content of one file in the result of the load."""
    expect(f"the section of {path}", docstring, _section(seen, path))


@then('the section of "{path}" is {size:d} bytes long')
def section_is_long(seen: Observation, path: str, size: int) -> None:
    """The length of one file's content in the result of the load."""
    expect(f"the bytes in the section of {path}", size, len(_section(seen, path).encode()))


@then('the section of "{path}", if present, is {size:d} bytes long')
def section_is_long_if_shown(seen: Observation, path: str, size: int) -> None:
    """The length of the file's content, if the file is in the result.

    A heading with the path counts as showing the file.
    """
    load = the_load(seen)
    rest = load.text or ""
    for section in load.sections:
        rest = rest.replace(section.text, "", 1)
    if path in shown(seen) or path in rest:
        section_is_long(seen, path, size)


@then('the section of "{path}" equals the stored file')
def section_is_as_stored(seen: Observation, path: str) -> None:
    """The section has the whole content of the file in the example project."""
    expect(f"the section of {path}", example_project()[path].decode(), _section(seen, path))


@then("loading fails")
def loading_fails(seen: Observation) -> None:
    """The load ends with an error of any kind."""
    if the_load(seen).error is None:
        raise Mismatch("loading", "an error", f"no error, and the files shown are {', '.join(shown(seen)) or 'none'}")


@then("loading fails with {fault}", fault=FAULTS)
def loading_fails_with(seen: Observation, fault: str) -> None:
    """The load ends with the error, or with an error that this error caused."""
    loading_fails(seen)
    expect_kind_through("the kind of the error", FAULTS.read(fault).kind, the_load(seen).error)


def _configured(config: Config | None) -> set[str]:
    return {posixpath.normpath(path) for path in (config.files if config and config.files else ())}


@then("the files imported are {paths}")
def imports_asked_for(seen: Observation, scene: Scene, paths: str) -> None:
    """The files that the loader reads in addition to the configured files, in any order. At least one file is read."""
    if not seen.reads:
        raise Mismatch("the files read", "the configured ones", "none")
    asked = {read.path for read in seen.reads} - _configured(scene.instructions)
    expect("the imported files, sorted", sorted(names(paths)), sorted(asked))


@then("the files read are {paths}")
def files_read(seen: Observation, paths: str) -> None:
    """All reads in order."""
    expect("the files read", list(names(paths)), [read.path for read in seen.reads])


@then("no file is read")
def nothing_is_read(seen: Observation) -> None:
    """No file is read."""
    expect("the files read", [], [read.path for read in seen.reads])


@then('"{path}" is not read')
def is_not_read(seen: Observation, path: str) -> None:
    """The file is not read."""
    is_read(seen, path, 0)


@then('"{path}" is read {times:Times}')
def is_read(seen: Observation, path: str, times: int) -> None:
    """How often the file is read in all."""
    expect(f"how often {path} is read", times, sum(read.path == path for read in seen.reads))


@then('"{path}" is read at least once')
def is_read_at_least_once(seen: Observation, path: str) -> None:
    """The file is read once or more."""
    if all(read.path != path for read in seen.reads):
        raise Mismatch("the files read", path, [read.path for read in seen.reads])


@then('"{path}" is read {times:Times} in run {run:d}')
def is_read_in_run(seen: Observation, path: str, times: int, run: int) -> None:
    """How often the file is read in one run."""
    found = sum(read.path == path and read.run == str(run) for read in seen.reads)
    expect(f"how often {path} is read in run {run}", times, found)


@then("every read requests the whole file")
def every_read_is_whole(seen: Observation) -> None:
    """Every read begins with line 1 and has no limit, and there is at least one read."""
    if not seen.reads:
        raise Mismatch("the reads", "some", "none")
    partial = [read for read in seen.reads if (read.offset, read.limit) != (1, 0)]
    expect(
        "the reads of a part of a file",
        [],
        [f"{read.path}, from line {read.offset}, with the limit {read.limit}" for read in partial],
    )


@then('in run {run:d}, every read is made with "{key}" in its context')
def every_read_has_context(seen: Observation, run: int, key: str) -> None:
    """Every read of the run receives the context value, and there is at least one read."""
    reads = [read for read in seen.reads if read.run == str(run)]
    if not reads:
        raise Mismatch(f"the reads of run {run}", "some", "none")
    expect(f"the reads without {key!r}", [], [read.path for read in reads if key not in read.context])
