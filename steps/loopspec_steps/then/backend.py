"""Then: the answers of the backend under test."""

from __future__ import annotations

from collections.abc import Iterable

from loopspec.contract.mismatch import Mismatch, excerpt, expect
from loopspec.contract.names import short_name
from loopspec.contract.observation import Answered, Observation
from loopspec.contract.scene import File, Scene

from ..cells import as_text, names
from ..phrasebook import then

_LONG = 40  # characters, or bytes, of a content that is not as it should be
NOTHING = "read() returned None"
_MISSING = "in Python, raise FileNotFoundError for a missing file"
_RAISE_IT = "raise the error of a read that fails, and do not return content"
_NOT_MISSING = "in Python, raise another OSError than FileNotFoundError, so that the file does not count as missing"
_INSTEAD = "read() must return str or bytes, or raise an OSError"
# The cure for a name that a store changes.
REFUSE = "if the store cannot store the name, raise loopspec.CannotStore(path) in open() or write()"


def _the_answer(seen: Observation) -> Answered:
    if len(seen.answers) != 1:
        raise Mismatch("the number of answers", 1, len(seen.answers))
    return seen.answers[0]


def bytes_of(answer: Answered, hint: str = "") -> bytes:
    """The content of an answer. Raises `Mismatch` for an error."""
    if answer.error:
        raise Mismatch(f"reading {answer.name}", "content", answer.error, hint)
    return answer.content.data if answer.content else b""


def text_of(answer: Answered) -> str:
    """The content as text; what is no UTF-8 is a wrong answer, and no accident."""
    return bytes_of(answer).decode(errors="replace")


def expect_files(what: str, scene: Scene, found: Iterable[str]) -> None:
    """Compare the paths of answers with those of the stored files; a message shortens long names."""
    wanted, paths = sorted(scene.files), sorted(found)
    if wanted != paths:
        raise Mismatch(what, list(map(short_name, wanted)), list(map(short_name, paths)))


def _outcome(answer: Answered) -> object:
    """What is seen of an answer that should be another error."""
    if answer.error is not None:
        return answer.error
    if answer.content is None:
        return NOTHING
    return f"no error, but the content {excerpt(text_of(answer), _LONG)!r}"


def expect_missing(answer: Answered, what: str = "") -> None:
    """Raise `Mismatch` unless the answer is an error for a missing file. `what`: which read, if not by its path."""
    error = answer.error
    if error is None or error.kind != "not_exist":
        raised = f"{error.message} was raised; " if error and error.kind == "other" and error.message else ""
        expected = "a missing-file error"
        raise Mismatch(what or f"reading {answer.name}", expected, _outcome(answer), f"{raised}{_MISSING}")


def expect_failure(answer: Answered) -> None:
    """Raise `Mismatch` unless the answer is an error."""
    if answer.error is None:
        raise Mismatch(f"reading {answer.name}", "an error", _outcome(answer), _RAISE_IT)


def same(answer: Answered, file: File, hint: str = "") -> None:
    """Compare bytes; of long ones only the part is shown where they begin to differ."""
    expected, found = file.content, bytes_of(answer, hint)
    if expected != found:
        pairs = enumerate(zip(expected, found, strict=False))
        at = next((place for place, (a, b) in pairs if a != b), min(len(expected), len(found)))
        if answer.content is None:
            raise Mismatch(f"the content of {answer.name}", _from(expected, at), NOTHING, _INSTEAD)
        raise Mismatch(f"the bytes of {answer.name}, from byte {at} on", _from(expected, at), _from(found, at))


def _from(content: bytes, at: int) -> str:
    """Bytes from a place on, and how many there are in all."""
    rest = content[at : at + _LONG]
    return f"{rest!r}{'…' if at + _LONG < len(content) else ''} ({len(content)} bytes in all)"


@then("the read fails with a missing-file error")
def answer_is_missing(seen: Observation) -> None:
    """The read fails with an error of the kind for a missing file."""
    expect_missing(_the_answer(seen))


@then("the read fails, but not with a missing-file error")
def answer_is_other_error(seen: Observation) -> None:
    """The read fails with an error of any kind but that for a missing file."""
    expect_another_error(_the_answer(seen))


def expect_another_error(answer: Answered) -> None:
    """Raise `Mismatch` unless the answer is an error other than that for a missing file."""
    if answer.error is None or answer.error.kind == "not_exist":
        hint = _NOT_MISSING if answer.error else _RAISE_IT
        raise Mismatch(f"reading {answer.name}", "an error other than a missing-file error", _outcome(answer), hint)


@then("the content read equals the stored bytes")
def answer_is_stored(seen: Observation, scene: Scene) -> None:
    """The read returns the whole content. Text counts as its UTF-8 bytes."""
    answer = _the_answer(seen)
    if answer.path not in scene.files:
        raise Mismatch("the file answered for", list(map(short_name, sorted(scene.files))), answer.name)
    same(answer, scene.files[answer.path])


@then("the content read has the lines {lines}")
def answer_has_lines(seen: Observation, lines: str) -> None:
    """The read returns these lines. A line end after the last line is optional."""
    expect("the lines", list(names(lines)), text_of(_the_answer(seen)).splitlines())


@then("each content read equals the stored bytes")
def each_answer_is_stored(seen: Observation, scene: Scene) -> None:
    """Every read returns the whole content of its own file, and every file is read."""
    expect_files("the files answered for, sorted", scene, {answer.path for answer in seen.answers})
    for answer in seen.answers:
        same(answer, scene.files[answer.path])


@then('each content read equals the stored bytes, and reading "{path}" fails with a missing-file error')
def each_answer_but_one(seen: Observation, scene: Scene, path: str) -> None:
    """Every read returns the whole content of its own file, and the read of the path fails with an error for a missing
    file.
    """
    expect_missing(other_answer(seen, scene, path))


@then('each content read equals the stored bytes, and reading "{path}" fails, but not with a missing-file error')
def each_answer_but_a_failure(seen: Observation, scene: Scene, path: str) -> None:
    """Every read returns the whole content of its own file, and the read of the path fails with an error of any kind
    but that for a missing file.
    """
    expect_another_error(other_answer(seen, scene, path))


def other_answer(seen: Observation, scene: Scene, path: str) -> Answered:
    """Return the answer for the path, after a check that all other answers are the stored files."""
    others = [answer for answer in seen.answers if answer.path != path]
    expect_files("the files answered for, sorted", scene, [answer.path for answer in others])
    for answer in others:
        same(answer, scene.files[answer.path])
    found = [answer for answer in seen.answers if answer.path == path]
    expect(f"the number of answers for {short_name(path)}", 1, len(found))
    return found[0]


@then("the contents read are {contents}")
def answers_are(seen: Observation, contents: str) -> None:
    """The reads return these contents in order."""
    wanted, found = [as_text(text) for text in names(contents)], [text_of(answer) for answer in seen.answers]
    if found != wanted:
        empty = any(answer.content is None for answer in seen.answers)
        found = [text if answer.content else NOTHING for answer, text in zip(seen.answers, found, strict=True)]
        raise Mismatch("the contents read", wanted, found, _INSTEAD if empty else "")


@then('the first read fails with a missing-file error, and the second returns "{content}"')
def missing_then_content(seen: Observation, content: str) -> None:
    """The first read fails with an error for a missing file, and the second read returns the content."""
    expect("the number of answers", 2, len(seen.answers))
    first, second = seen.answers
    expect_missing(first, f"the first read, of {first.name}")
    expect("the second content read", content, text_of(second))
