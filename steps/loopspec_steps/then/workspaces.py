"""Then: the text that a tool loads from a workspace."""

from __future__ import annotations

from os.path import commonprefix

from loopspec.contract.mismatch import Mismatch, excerpt, expect
from loopspec.contract.observation import Observation
from loopspec.contract.scene import Scene

from ..cells import as_text, names
from ..phrasebook import then
from .loads import the_load

_LONG = 200  # characters of a text in a message


def _text(seen: Observation) -> str:
    load = the_load(seen)
    if load.error:
        raise Mismatch("loading", "no error", load.error)
    return load.text or ""


@then('the loaded text contains "{text}"')
def text_contains(seen: Observation, text: str) -> None:
    """The text that the model receives contains the text."""
    if as_text(text) not in _text(seen):
        raise Mismatch("the loaded text", f"{as_text(text)!r} in it", excerpt(_text(seen), _LONG))


@then('the loaded text does not contain "{text}"')
def text_does_not_contain(seen: Observation, text: str) -> None:
    """The load succeeds, and the text that the model receives does not contain the text."""
    expect(f"how often {as_text(text)!r} is loaded", 0, _text(seen).count(as_text(text)))


@then('the loaded text contains "{text}" {times:Times}')
def text_contains_times(seen: Observation, text: str, times: int) -> None:
    """How often the text that the model receives contains the text."""
    expect(f"how often {as_text(text)!r} is loaded", times, _text(seen).count(as_text(text)))


@then('the loaded text contains, in this order, "{first}", "{second}" and "{third}"')
def text_contains_in_order(seen: Observation, first: str, second: str, third: str) -> None:
    """The text that the model receives contains the three texts, one after the other."""
    at, found = 0, _text(seen)
    for part in map(as_text, (first, second, third)):
        place = found.find(part, at)
        if place < 0:
            raise Mismatch("the loaded text", f"{part!r} after byte {at}", excerpt(found, _LONG))
        at = place + len(part)


@then("the loaded empty files are {paths}")
def empty_files_loaded(seen: Observation, paths: str) -> None:
    """The files without text in the result of the load, in this order. A tool that names no files has none."""
    _text(seen)
    expect("the empty files loaded", list(names(paths)), list(the_load(seen).empty_files))


@then('{size:d} bytes of "{path}" are loaded')
def bytes_are_loaded(seen: Observation, scene: Scene, size: int, path: str) -> None:
    """The size of the beginning of the file that the model receives."""
    expect(f"the bytes of {path} that are loaded", size, _loaded_bytes(seen, scene, path))


@then('fewer than {size:d} bytes of "{path}" are loaded')
def fewer_bytes_are_loaded(seen: Observation, scene: Scene, size: int, path: str) -> None:
    """The model receives the beginning of the file, and at most one byte less than this size."""
    if (loaded := _loaded_bytes(seen, scene, path)) >= size:
        raise Mismatch(f"the bytes of {path} that are loaded", f"fewer than {size}", loaded)


def _loaded_bytes(seen: Observation, scene: Scene, path: str) -> int:
    assert scene.workspace is not None, "the act reads a workspace"
    content = scene.workspace.entries[path].content.decode()
    sections = [section.text for section in the_load(seen).sections if section.path == path]
    if len(sections) != 1:
        raise Mismatch(f"how often {path} is loaded", 1, len(sections))
    return len(commonprefix((content, sections[0])).encode())  # noqa: RUF071  # characters are what is compared
