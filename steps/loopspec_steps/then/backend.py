"""Then: the answers of the backend under test."""

from __future__ import annotations

from loopspec.contract.mismatch import Mismatch, excerpt, expect
from loopspec.contract.observation import Answered, Observation
from loopspec.contract.scene import File, Scene

from ..cells import as_text, names
from ..phrasebook import then
from .failures import expect_own_kind

_LONG = 40  # characters, or bytes, of a content that is not as it should be
_NOTHING = "read() returned None"
_RAISE_IT = "read() must raise an error and not return content"
_INSTEAD = "read() must return str or bytes, or raise an OSError"


def _the_answer(seen: Observation) -> Answered:
    if len(seen.answers) != 1:
        raise Mismatch("the number of answers", 1, len(seen.answers))
    return seen.answers[0]


def bytes_of(answer: Answered) -> bytes:
    """The content of an answer. Raises `Mismatch` for an error."""
    if answer.error:
        raise Mismatch(f"the answer for {answer.path}", "content", answer.error)
    return answer.content.data if answer.content else b""


def text_of(answer: Answered) -> str:
    """The content as text; what is no UTF-8 is a wrong answer, and no accident."""
    return bytes_of(answer).decode(errors="replace")


def _expect_kind(what: str, kind: str, answer: Answered) -> None:
    if answer.error is None and answer.content is None:
        raise Mismatch(what, kind, _NOTHING, _INSTEAD)
    if answer.error is None:
        raise Mismatch(what, kind, f"no error, but the content {excerpt(text_of(answer), _LONG)!r}", _RAISE_IT)
    expect_own_kind(what, kind, answer.error)


def expect_failure(answer: Answered) -> None:
    """Raise `Mismatch` unless the answer is an error."""
    if answer.error is None:
        _expect_kind(f"the answer for {answer.path}", "an error", answer)


def same(answer: Answered, file: File) -> None:
    """Compare bytes; of long ones only the part is shown where they begin to differ."""
    expected, found = file.content, bytes_of(answer)
    if expected != found:
        pairs = enumerate(zip(expected, found, strict=False))
        at = next((place for place, (a, b) in pairs if a != b), min(len(expected), len(found)))
        if answer.content is None:
            raise Mismatch(f"the content of {answer.path}", _from(expected, at), _NOTHING, _INSTEAD)
        raise Mismatch(f"the bytes of {answer.path}, from byte {at} on", _from(expected, at), _from(found, at))


def _from(content: bytes, at: int) -> str:
    """Bytes from a place on, and how many there are in all."""
    rest = content[at : at + _LONG]
    return f"{rest!r}{'…' if at + _LONG < len(content) else ''} ({len(content)} bytes in all)"


@then("the read fails with a missing-file error")
def answer_is_missing(seen: Observation) -> None:
    """The read fails with an error of the kind for a missing file."""
    _expect_kind("the kind of the error", "not_exist", _the_answer(seen))


@then("the read fails, but not with a missing-file error")
def answer_is_other_error(seen: Observation) -> None:
    """The read fails with an error of any kind but that for a missing file."""
    expect_another_error(_the_answer(seen))


def expect_another_error(answer: Answered) -> None:
    """Raise `Mismatch` unless the answer is an error other than that for a missing file."""
    wanted = "an error of another kind than not_exist"
    if answer.error is None:
        _expect_kind("the answer", wanted, answer)
    elif answer.error.kind == "not_exist":
        hint = "in Python, raise another OSError than FileNotFoundError, so that the file does not count as missing"
        raise Mismatch("the answer", wanted, answer.error, hint)


@then("the content read equals the stored bytes")
def answer_is_stored(seen: Observation, scene: Scene) -> None:
    """The read returns the whole content. Text counts as its UTF-8 bytes."""
    answer = _the_answer(seen)
    if answer.path not in scene.files:
        raise Mismatch("the file answered for", sorted(scene.files), answer.path)
    same(answer, scene.files[answer.path])


@then("the content read has the lines {lines}")
def answer_has_lines(seen: Observation, lines: str) -> None:
    """The read returns these lines. A line end after the last line is optional."""
    expect("the lines", list(names(lines)), text_of(_the_answer(seen)).splitlines())


@then("each content read equals the stored bytes")
def each_answer_is_stored(seen: Observation, scene: Scene) -> None:
    """Every read returns the whole content of its own file, and every file is read."""
    expect("the files answered for, sorted", sorted(scene.files), sorted({answer.path for answer in seen.answers}))
    for answer in seen.answers:
        same(answer, scene.files[answer.path])


@then('each content read equals the stored bytes, and reading "{path}" fails with a missing-file error')
def each_answer_but_one(seen: Observation, scene: Scene, path: str) -> None:
    """Every read returns the whole content of its own file, and the read of the path fails with an error for a missing
    file.
    """
    _expect_kind(f"the kind of the error for {path}", "not_exist", other_answer(seen, scene, path))


@then('each content read equals the stored bytes, and reading "{path}" fails, but not with a missing-file error')
def each_answer_but_a_failure(seen: Observation, scene: Scene, path: str) -> None:
    """Every read returns the whole content of its own file, and the read of the path fails with an error of any kind
    but that for a missing file.
    """
    expect_another_error(other_answer(seen, scene, path))


def other_answer(seen: Observation, scene: Scene, path: str) -> Answered:
    """Return the answer for the path, after a check that all other answers are the stored files."""
    others = [answer for answer in seen.answers if answer.path != path]
    expect("the files answered for, sorted", sorted(scene.files), sorted(answer.path for answer in others))
    for answer in others:
        same(answer, scene.files[answer.path])
    found = [answer for answer in seen.answers if answer.path == path]
    expect(f"the number of answers for {path}", 1, len(found))
    return found[0]


@then("the contents read are {contents}")
def answers_are(seen: Observation, contents: str) -> None:
    """The reads return these contents in order."""
    wanted, found = [as_text(text) for text in names(contents)], [text_of(answer) for answer in seen.answers]
    if found != wanted:
        empty = any(answer.content is None for answer in seen.answers)
        found = [text if answer.content else _NOTHING for answer, text in zip(seen.answers, found, strict=True)]
        raise Mismatch("the answers", wanted, found, _INSTEAD if empty else "")


@then('the first read fails with a missing-file error, and the second returns "{content}"')
def missing_then_content(seen: Observation, content: str) -> None:
    """The first read fails with an error for a missing file, and the second read returns the content."""
    expect("the number of answers", 2, len(seen.answers))
    first, second = seen.answers
    _expect_kind("the kind of the first error", "not_exist", first)
    expect("the second answer", content, text_of(second))
