"""Then: the text of the instructions."""

from __future__ import annotations

from typing import NamedTuple

from loopspec.contract.instructions import find_sections
from loopspec.contract.mismatch import Mismatch, expect
from loopspec.contract.observation import Observation, Read
from loopspec.contract.scene import Scene

from ..cells import as_text, names
from ..phrasebook import then
from .instructions import the_instructions
from .loads import CHINESE
from .observed import model_call, model_calls, require


def _text(seen: Observation, scene: Scene, run: int | None = None) -> str:
    return the_instructions(model_call(seen, 1, run), scene).content


def _reads(seen: Observation, run: int | None = None) -> list[Read]:
    """What was read up to the end of a run: an implementation may, wrongly, show what an earlier one has read."""
    return [read for read in seen.reads if read.run is None or run is None or int(read.run) <= run]


def _contents(seen: Observation, run: int | None = None) -> dict[str, str]:
    """The files that were read with content, as text as it was last read, in the order of reading."""
    return {read.path: read.content.data.decode(errors="replace") for read in _reads(seen, run) if read.content}


def _sections(seen: Observation, scene: Scene, run: int | None = None) -> list[str]:
    return [section.path for section in find_sections(_text(seen, scene, run), _reads(seen, run))]


class _Around(NamedTuple):
    """What stands around the files."""

    header: str
    headings: list[str]
    footer: str


def _around(seen: Observation, scene: Scene, run: int | None = None) -> _Around:
    """Take the files, and their paths in the headings, out of the text."""
    text, contents = _text(seen, scene, run), _contents(seen, run)
    require(contents, "the files", "some that were read", "none")
    headings, header, rest = [], "", text
    for path, content in contents.items():
        before, found, rest = rest.partition(content)
        above, named, rest = before.rpartition(path)
        require(found and named, "the text", f"a heading with {path}, and then the file", text)
        above, _, line = above.rpartition("\n")
        header = header or above
        headings.append(line + rest.partition("\n")[0])
    return _Around(header, headings, rest)


@then('the instructions begin with "{start}"')
def instructions_begin_with(seen: Observation, scene: Scene, start: str) -> None:
    """The text of the instructions begins with this text. White space at the start does not count."""
    text = _text(seen, scene).lstrip()
    require(text.startswith(start), "the text", f"begins with {start!r}", text)


@then('the instructions end with "{end}"')
def instructions_end_with(seen: Observation, scene: Scene, end: str) -> None:
    """The text of the instructions ends with this text. White space at the end does not count."""
    text = _text(seen, scene).rstrip()
    require(text.endswith(end), "the text", f"ends with {end!r}", text)


@then('there are words between "{start}" and the first heading')
def words_before_first_heading(seen: Observation, scene: Scene, start: str) -> None:
    """The header has a letter, in any script, between the text and the line with the path of the first file."""
    text = _text(seen, scene)
    path = next(iter(_contents(seen)), None)
    if path is None:
        raise Mismatch("the files", "some that were read", "none")
    lines = text[: text.index(path)].splitlines()[:-1] if path in text else []
    _words("\n".join(lines).partition(start)[2], text)


@then('there are words between "{content}" and "{end}"')
def words_between(seen: Observation, scene: Scene, content: str, end: str) -> None:
    """The footer has a letter, in any script, between the two texts."""
    text = _text(seen, scene)
    _words(text.rpartition(content)[2].rpartition(end)[0], text)


def _words(part: str, text: str) -> None:
    require(any(letter.isalpha() for letter in part), "the words there", "some", text)


@then('the instructions contain "{words}" once')
def instructions_contain_once(seen: Observation, scene: Scene, words: str) -> None:
    """The text of the instructions contains these words exactly once."""
    text = _text(seen, scene)
    require(text.count(words) == 1, f"the words {words!r}", "once", text)


@then("each of {paths} has a heading of its own before its content")
def each_has_a_heading(seen: Observation, scene: Scene, paths: str) -> None:
    """Each file is in the instructions exactly once, after a line with its path."""
    expect("the files under headings of their own, sorted", sorted(names(paths)), sorted(_sections(seen, scene)))


@then('the instructions contain "{part}"')
def instructions_contain(seen: Observation, scene: Scene, part: str) -> None:
    """The text of the instructions contains this text exactly as written."""
    wanted, text = as_text(part), _text(seen, scene)
    require(wanted in text, "the text", f"{wanted!r} in it", text)


@then('the instructions do not contain "{part}"')
def instructions_do_not_contain(seen: Observation, scene: Scene, part: str) -> None:
    """The text of the instructions does not contain this text."""
    unwanted, text = as_text(part), _text(seen, scene)
    require(unwanted not in text, "the text", f"no {unwanted!r} in it", text)


@then("the instructions contain, in this order, {parts}")
def instructions_contain_in_order(seen: Observation, scene: Scene, parts: str) -> None:
    """The text of the instructions contains these texts in order."""
    text, at = _text(seen, scene), 0
    for part in names(parts):
        at = text.find(part, at)
        require(at >= 0, "the text", f"in this order {parts}", text)
        at += len(part)


@then('the instructions contain the whole of "{path}"')
def instructions_contain_whole_file(seen: Observation, scene: Scene, path: str) -> None:
    """The text of the instructions contains the whole content of the file."""
    text, content = _text(seen, scene), _contents(seen).get(path, "")
    require(content and content in text, "the text", f"the whole content of {path}", text)


@then("the instructions of run {run:d} contain {paths}")
def instructions_of_run_contain(seen: Observation, scene: Scene, run: int, paths: str) -> None:
    """The files in the instructions of the run's first model call, in this order and no others."""
    expect(f"the files shown in run {run}", list(names(paths)), _sections(seen, scene, run))


@then("the instructions are the same text in every model call")
def instructions_are_the_same(seen: Observation, scene: Scene) -> None:
    """The instructions have the same text in all model calls, and there are at least two."""
    texts = [the_instructions(call, scene).content for call in model_calls(seen)]
    require(len(texts) >= 2, "the number of model calls", "at least 2", len(texts))
    for number, text in enumerate(texts[1:], 2):
        expect(f"the instructions of model call {number}", texts[0], text)


@then("the header and the footer of run {one:d} and run {other:d} differ")
def header_and_footer_differ(seen: Observation, scene: Scene, one: int, other: int) -> None:
    """The header and the footer have other texts in the one run than in the other."""
    a, b = _around(seen, scene, one), _around(seen, scene, other)
    for part in ("header", "footer"):
        if getattr(a, part) == getattr(b, part):
            raise Mismatch(f"the {part} of run {other}", f"other words than in run {one}", getattr(b, part))


@then("the text around the files contains no Chinese")
def text_around_files_is_not_chinese(seen: Observation, scene: Scene) -> None:
    """The header, the headings and the footer have no Chinese character."""
    expect("the Chinese parts", [], [part for part in _parts(seen, scene) if CHINESE.search(part)])


@then("header, headings and footer are Chinese")
def text_around_files_is_chinese(seen: Observation, scene: Scene) -> None:
    """The header, the headings and the footer have Chinese characters."""
    expect("the parts without Chinese", [], [part for part in _parts(seen, scene) if not CHINESE.search(part)])


def _parts(seen: Observation, scene: Scene) -> tuple[str, ...]:
    around = _around(seen, scene)
    return (around.header, *around.headings, around.footer)
