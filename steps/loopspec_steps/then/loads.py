"""Then: loads, the files and texts that they show, the files that they read, and warnings."""

from __future__ import annotations

import posixpath
import re
from bisect import bisect

from loopspec.contract.mismatch import excerpt, expect
from loopspec.contract.observation import Load, Observation
from loopspec.contract.scene import Scene
from loopspec.contract.specification import example_project

from ..cells import as_text, names
from ..holes import FAULTS
from ..phrasebook import then
from .observed import expect_kind_through, expect_log, expect_names, require

CHINESE = re.compile(r"[一-鿿]")
_LONG = 200  # characters of a text in a message


def the_load(seen: Observation) -> Load:
    """The outcome of the one load there was."""
    creating_succeeds(seen)
    expect("how often the files are loaded", 1, len(seen.loads))
    return seen.loads[0]


def shown(load: Load) -> list[str]:
    """The paths of the sections, in order."""
    return [section.path for section in load.sections]


def _loaded(seen: Observation) -> Load:
    """The outcome of a load that must succeed."""
    load = the_load(seen)
    expect("loading", "no error", load.error or "no error")
    return load


@then("creating the middleware fails", waives={"runs"})
def creating_fails(seen: Observation) -> None:
    """Creating the handler fails with an error."""
    require(seen.created is not None, "creating the handler", "an error", "a handler")


@then("creating the middleware succeeds")
def creating_succeeds(seen: Observation) -> None:
    """Creating the handler succeeds."""
    expect("creating the handler", "no error", seen.created or "no error")


@then('choosing the language "{language}" fails')
def choosing_language_fails(seen: Observation, language: str) -> None:
    """Choosing the language fails with an error."""
    expect("the languages that are refused", (language,), seen.languages)


@then("no file is loaded", paths="nothing", meaning="The result of the load has no file. The load may also fail.")
@then("the loaded files are {paths}", one='the only loaded file is "{paths}"')
def loaded_files_are(seen: Observation, paths: str) -> None:
    """The files in the result of the load, in this order and no others. With `nothing`, the load may also fail."""
    expect_names("the files shown", paths, shown(the_load(seen) if paths == "nothing" else _loaded(seen)))


@then("in any order, the loaded files are {paths}")
def loaded_files_in_any_order_are(seen: Observation, paths: str) -> None:
    """The files in the result of the load, in any order, each once and no others."""
    expect_names("the files shown, sorted", paths, shown(_loaded(seen)), sort=True)


@then("no file is loaded, or the files {paths}", one='no file is loaded, or only the file "{paths}"')
def no_file_is_loaded_or_files(seen: Observation, paths: str) -> None:
    """The result of the load has no file, or these files in this order."""
    if found := shown(_loaded(seen)):
        expect_names("the files shown, if any", paths, found)


@then('"{path}" is not loaded', meaning="The load succeeds, and the file is not in its result.", times=0)
@then('"{path}" is loaded', times=1)
def is_loaded(seen: Observation, path: str, times: int) -> None:
    """The file is in the result of the load exactly once."""
    expect(f"how often {path} is shown", times, shown(_loaded(seen)).count(path))


@then('"{one}" and "{other}" are not both loaded')
def are_not_both_loaded(seen: Observation, one: str, other: str) -> None:
    """The load succeeds, and at most one of the two files is in its result."""
    found = shown(_loaded(seen))
    require(not {one, other} <= {*found}, "the files shown", f"not both {one} and {other}", found)


@then('"{later}" comes after "{earlier}"')
def comes_after(seen: Observation, later: str, earlier: str) -> None:
    """Both files are in the result of the load, in this order. Other files can lie between them."""
    order = [path for path in shown(_loaded(seen)) if path in (earlier, later)]
    expect("the order of the two files", [earlier, later], order)


def _section(seen: Observation, path: str) -> str:
    found = [section.text for section in the_load(seen).sections if section.path == path]
    require(len(found) == 1, "the files shown", f"{path} among them", shown(the_load(seen)))
    return found[0]


@then('the section of "{path}" is exactly')
def section_is(seen: Observation, path: str, docstring: str) -> None:
    """The whole content of one file in the result of the load."""
    expect(f"the section of {path}", docstring, _section(seen, path))


@then('the section of "{path}" is {size:d} bytes long')
def section_is_bytes_long(seen: Observation, path: str, size: int) -> None:
    """The length of one file's content in the result of the load."""
    expect(f"the bytes in the section of {path}", size, len(_section(seen, path).encode()))


@then('the section of "{path}", if present, is {size:d} bytes long')
def section_is_bytes_long_if_present(seen: Observation, path: str, size: int) -> None:
    """The length of the file's content, if the file is in the result.

    A heading with the path counts as showing the file.
    """
    load = the_load(seen)
    rest = load.text or ""
    for section in load.sections:
        rest = rest.replace(section.text, "", 1)
    if path in shown(load) or path in rest:
        section_is_bytes_long(seen, path, size)


@then('the section of "{path}" equals the stored file')
def section_equals_stored_file(seen: Observation, path: str) -> None:
    """The section has the whole content of the file in the example project."""
    expect(f"the section of {path}", example_project()[path].decode(), _section(seen, path))


@then("loading fails")
def loading_fails(seen: Observation) -> None:
    """The load ends with an error of any kind."""
    load = the_load(seen)
    found = f"no error, and the files shown are {', '.join(shown(load)) or 'none'}"
    require(load.error is not None, "loading", "an error", found)


@then("loading fails with {fault}", fault=FAULTS)
def loading_fails_with(seen: Observation, fault: str) -> None:
    """The load ends with the error, or with an error that this error caused."""
    loading_fails(seen)
    expect_kind_through("the kind of the error", FAULTS.read(fault).kind, the_load(seen).error)


@then("no file is imported", paths="nothing", meaning="The loader reads the configured files only, at least one.")
@then("the files imported are {paths}", one='the only file imported is "{paths}"')
def files_imported_are(seen: Observation, scene: Scene, paths: str) -> None:
    """The files that the loader reads in addition to the configured files, in any order. At least one file is read."""
    require(seen.reads, "the files read", "the configured ones", "none")
    configured = map(posixpath.normpath, (scene.instructions and scene.instructions.files) or ())
    expect_names(
        "the imported files, sorted", paths, {read.path for read in seen.reads}.difference(configured), sort=True
    )


@then("no file is read", meaning="No file is read.", paths="nothing")
@then("the files read are {paths}", one='the only file read is "{paths}"')
def files_read_are(seen: Observation, paths: str) -> None:
    """All reads in order."""
    expect_names("the files read", paths, [read.path for read in seen.reads])


@then('"{path}" is read {times:Times}')
@then('"{path}" is not read', meaning="The file is not read.", times=0)
def is_read(seen: Observation, path: str, times: int) -> None:
    """How often the file is read in all."""
    expect(f"how often {path} is read", times, sum(read.path == path for read in seen.reads))


@then('"{path}" is read at least once')
def is_read_at_least_once(seen: Observation, path: str) -> None:
    """The file is read once or more."""
    found = [read.path for read in seen.reads]
    require(path in found, "the files read", path, found)


@then('"{path}" is read {times:Times} in run {run:d}')
def is_read_in_run(seen: Observation, path: str, times: int, run: int) -> None:
    """How often the file is read in one run."""
    found = sum(read.path == path and read.run == str(run) for read in seen.reads)
    expect(f"how often {path} is read in run {run}", times, found)


@then("every read requests the whole file")
def every_read_requests_whole_file(seen: Observation) -> None:
    """Every read begins with line 1 and has no limit, and there is at least one read."""
    require(seen.reads, "the reads", "some", "none")
    partial = [
        f"{read.path}, from line {read.offset}, with the limit {read.limit}"
        for read in seen.reads
        if (read.offset, read.limit) != (1, 0)
    ]
    expect("the reads of a part of a file", [], partial)


@then('in run {run:d}, every read is made with "{key}" in its context')
def every_read_has_context(seen: Observation, run: int, key: str) -> None:
    """Every read of the run receives the context value, and there is at least one read."""
    reads = [read for read in seen.reads if read.run == str(run)]
    require(reads, f"the reads of run {run}", "some", "none")
    expect(f"the reads without {key!r}", [], [read.path for read in reads if key not in read.context])


# -- warnings and the log ----------------------------------------------------------------------------------------------


def _warned(seen: Observation) -> list[str]:
    """The paths warned about, in normal form, in order."""
    return [posixpath.normpath(warning.path) for warning in seen.warnings]


@then("a warning is given")
def a_warning_is_given(seen: Observation) -> None:
    """At least one warning is given about any file."""
    require(seen.warnings, "the warnings", "at least one", "none")


@then("no warning is given")
def no_warning_is_given(seen: Observation) -> None:
    """No warning is given about any file."""
    expect("the files warned about", [], _warned(seen))


@then("1 warning is given in run {run:d}")
def one_warning_is_given(seen: Observation, run: int) -> None:
    """Exactly one warning is given in the run."""
    expect(f"the number of warnings in run {run}", 1, sum(warning.run == str(run) for warning in seen.warnings))


@then("the warnings name {paths}", one='the only file with a warning is "{paths}"')
def warnings_name(seen: Observation, paths: str) -> None:
    """The files with a warning, each at least once and no others. Paths are compared in normal form."""
    expect("the files warned about, sorted", sorted(set(names(paths))), sorted(set(_warned(seen))))


@then("the warnings name, in this order, {paths}")
def warnings_name_in_order(seen: Observation, paths: str) -> None:
    """The files with a warning in order, each exactly once. Paths are compared in normal form."""
    expect_names("the files warned about", paths, _warned(seen))


@then("the warnings contain no Chinese")
def warnings_contain_no_chinese(seen: Observation) -> None:
    """There are warnings, and their texts have no Chinese character."""
    a_warning_is_given(seen)
    expect("the Chinese warnings", [], [w.message for w in seen.warnings if CHINESE.search(w.message)])


@then('the log names "{path}"')
def log_names(seen: Observation, path: str) -> None:
    """The default log has a line with the path."""
    expect_log(seen, path)


@then("the log names nothing")
def log_names_nothing(seen: Observation) -> None:
    """The default log has no line that names a file with a warning."""
    expect("the lines in the log", [], [line for line in seen.log if any(path in line for path in _warned(seen))])


# -- what a tool loads from a workspace --------------------------------------------------------------------------------


def _loaded_text(seen: Observation) -> str:
    return _loaded(seen).text or ""


@then('the loaded text contains "{text}"')
def loaded_text_contains(seen: Observation, text: str) -> None:
    """The text that the model receives contains the text."""
    wanted, found = as_text(text), _loaded_text(seen)
    require(wanted in found, "the loaded text", f"{wanted!r} in it", excerpt(found, _LONG))


@then('the loaded text contains "{text}" {times:Times}')
@then(
    'the loaded text does not contain "{text}"',
    meaning="The load succeeds, and the text that the model receives does not contain the text.",
    times=0,
)
def loaded_text_contains_times(seen: Observation, text: str, times: int) -> None:
    """How often the text that the model receives contains the text."""
    expect(f"how often {as_text(text)!r} is loaded", times, _loaded_text(seen).count(as_text(text)))


@then('the loaded text contains, in this order, "{first}", "{second}" and "{third}"')
def loaded_text_contains_in_order(seen: Observation, first: str, second: str, third: str) -> None:
    """The text that the model receives contains the three texts, one after the other."""
    at, found = 0, _loaded_text(seen)
    for part in map(as_text, (first, second, third)):
        place = found.find(part, at)
        require(place >= 0, "the loaded text", f"{part!r} after byte {at}", excerpt(found, _LONG))
        at = place + len(part)


@then("no empty file is loaded", paths="nothing", meaning="No file in the result of the load is empty.")
@then("the loaded empty files are {paths}", one='the only loaded empty file is "{paths}"')
def loaded_empty_files_are(seen: Observation, paths: str) -> None:
    """The files without text in the result of the load, in this order. A tool that names no files has none."""
    expect_names("the empty files loaded", paths, _loaded(seen).empty_files)


@then('{size:d} bytes of "{path}" are loaded')
def bytes_are_loaded(seen: Observation, scene: Scene, size: int, path: str) -> None:
    """The size of the beginning of the file that the model receives."""
    expect(f"the bytes of {path} that are loaded", size, _loaded_bytes(seen, scene, path))


@then('at most {size:d} bytes of "{path}" are loaded')
def bytes_at_most_are_loaded(seen: Observation, scene: Scene, size: int, path: str) -> None:
    """The model receives the beginning of the file, and no more than this many bytes of the file."""
    loaded = _loaded_bytes(seen, scene, path)
    require(loaded <= size, f"the bytes of {path} that are loaded", f"at most {size}", loaded)


def _loaded_bytes(seen: Observation, scene: Scene, path: str) -> int:
    assert scene.workspace is not None, "the act reads a workspace"
    content = scene.workspace.entries[path].content.decode()
    sections = [section.text for section in the_load(seen).sections if section.path == path]
    expect(f"how often {path} is loaded", 1, len(sections))
    lengths = range(1, len(sections[0]) + 1)
    shared = bisect(lengths, False, key=lambda length: not content.startswith(sections[0][:length]))
    return len(content[:shared].encode())
