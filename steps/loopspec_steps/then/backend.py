r"""Then: the answers of the backend under test."""

from __future__ import annotations

from collections.abc import Iterable

from loopspec.contract.mismatch import Mismatch, excerpt, expect
from loopspec.contract.names import short_name
from loopspec.contract.observation import Answered, Observation
from loopspec.contract.scene import File, Meanwhile, Scene, Write

from ..cells import as_text, file_of, names, unescape
from ..declarations import ClosedList, Word
from ..phrasebook import then
from .observed import nth, require

_LONG = 40  # characters, or bytes, of a content that is not as it should be
_NOTHING = "read() returned None"
_MISSING = "in Python, raise FileNotFoundError for a missing file"
_RAISE_IT = "raise the error of a read that fails, and do not return content"
_NOT_MISSING = "in Python, raise another OSError than FileNotFoundError, so that the file does not count as missing"
_INSTEAD = "read() must return str or bytes, or raise an OSError"
# The cure for a name that a store changes.
_REFUSE = "if the store cannot store the name, raise loopspec.CannotStore(path) in open() or write()"

RESOURCES: ClosedList[str] = ClosedList(
    "resources of a process",
    "What a process has open.",
    Word("open descriptor", "A file or a connection.", "descriptors"),
    Word("running thread", "A thread, also of a library.", "threads"),
    Word("pending task", "An asyncio task; in Go a goroutine, in Node a timer or an open request.", "tasks"),
)


def _answers(seen: Observation, count: int = 1) -> tuple[Answered, ...]:
    """The answers; there must be so many."""
    expect("the number of answers", count, len(seen.answers))
    return seen.answers


def _bytes_of(answer: Answered, hint: str = "") -> bytes:
    """The content of an answer. Raises `Mismatch` for an error."""
    require(not answer.error, f"reading {answer.name}", "content", answer.error, hint)
    return answer.content.data if answer.content else b""


def _text_of(answer: Answered) -> str:
    """The content as text; what is no UTF-8 is a wrong answer, and no accident."""
    return _bytes_of(answer).decode(errors="replace")


def _expect_files(scene: Scene, found: Iterable[str], sorted_: str = ", sorted") -> None:
    """Compare the paths of answers with those of the stored files; a message shortens long names."""
    wanted, paths = sorted(scene.files), sorted(found)
    if wanted != paths:
        raise Mismatch(f"the files answered for{sorted_}", list(map(short_name, wanted)), list(map(short_name, paths)))


def _outcome(answer: Answered) -> object:
    """What is seen of an answer that should be another error."""
    if answer.error is not None:
        return answer.error
    if answer.content is None:
        return _NOTHING
    return f"no error, but the content {excerpt(_text_of(answer), _LONG)!r}"


def _expect_missing(answer: Answered, what: str = "") -> None:
    """Raise `Mismatch` unless the answer is an error for a missing file. `what`: which read, if not by its path."""
    error = answer.error
    if error is None or error.kind != "not_exist":
        raised = f"{error.message} was raised; " if error and error.kind == "other" and error.message else ""
        expected = "a missing-file error"
        raise Mismatch(what or f"reading {answer.name}", expected, _outcome(answer), f"{raised}{_MISSING}")


def _expect_another_error(answer: Answered) -> None:
    """Raise `Mismatch` unless the answer is an error other than that for a missing file."""
    if answer.error is None or answer.error.kind == "not_exist":
        hint = _NOT_MISSING if answer.error else _RAISE_IT
        raise Mismatch(f"reading {answer.name}", "an error other than a missing-file error", _outcome(answer), hint)


def _expect_failure(answer: Answered) -> None:
    """Raise `Mismatch` unless the answer is an error."""
    require(answer.error is not None, f"reading {answer.name}", "an error", _outcome(answer), _RAISE_IT)


def _expect_content(answer: Answered, file: File, hint: str = "") -> None:
    """Compare bytes; of long ones only the part is shown where they begin to differ."""
    expected, found = file.content, _bytes_of(answer, hint)
    if expected != found:
        pairs = enumerate(zip(expected, found, strict=False))
        at = next((place for place, (a, b) in pairs if a != b), min(len(expected), len(found)))
        require(answer.content is not None, f"the content of {answer.name}", _from(expected, at), _NOTHING, _INSTEAD)
        raise Mismatch(f"the bytes of {answer.name}, from byte {at} on", _from(expected, at), _from(found, at))


def _from(content: bytes, at: int) -> str:
    """Bytes from a place on, and how many there are in all."""
    rest = content[at : at + _LONG]
    return f"{rest!r}{'…' if at + _LONG < len(content) else ''} ({len(content)} bytes in all)"


@then("the read fails with a missing-file error")
def read_fails_with_missing_file(seen: Observation) -> None:
    """The read fails with an error of the kind for a missing file."""
    _expect_missing(_answers(seen)[0])


@then("the read fails, but not with a missing-file error")
def read_fails_otherwise(seen: Observation) -> None:
    """The read fails with an error of any kind but that for a missing file."""
    _expect_another_error(_answers(seen)[0])


@then("the content read equals the stored bytes")
def content_equals_stored_bytes(seen: Observation, scene: Scene) -> None:
    """The read returns the whole content. Text counts as its UTF-8 bytes."""
    answer = _answers(seen)[0]
    if answer.path not in scene.files:
        raise Mismatch("the file answered for", list(map(short_name, sorted(scene.files))), answer.name)
    _expect_content(answer, scene.files[answer.path])


@then("the content read has the lines {lines}")
def content_has_lines(seen: Observation, lines: str) -> None:
    """The read returns these lines. A line end after the last line is optional."""
    expect("the lines", list(names(lines)), _text_of(_answers(seen)[0]).splitlines())


@then('the content read is "{content}"')
def content_is(seen: Observation, content: str) -> None:
    r"""The read returns exactly these bytes. `\n`, `\r` and `\uXXXX` stand for characters, `\xXX` for a byte."""
    _expect_content(_answers(seen)[0], file_of(content))


def _numbered(seen: Observation, number: int) -> Answered:
    return nth("the number of reads", seen.answers, number)


@then('read {number:d} returns "{content}"')
def numbered_read_returns(seen: Observation, number: int, content: str) -> None:
    r"""The read with this number returns exactly this content. `\n`, `\uXXXX` and `\xXX` stand for characters."""
    answer = _numbered(seen, number)
    what = f"read {number}, of {answer.name}"
    if answer.error is None and answer.content is None:
        raise Mismatch(what, as_text(content), _NOTHING, "return str or bytes")
    expect(what, unescape(content), _bytes_of(answer))


@then("read {number:d} fails with a missing-file error")
def numbered_read_fails_with_missing_file(seen: Observation, number: int) -> None:
    """The read with this number fails with the error for a missing file."""
    answer = _numbered(seen, number)
    _expect_missing(answer, f"read {number}, of {answer.name}")


@then("read {number:d} fails, but not with a missing-file error")
def numbered_read_fails_otherwise(seen: Observation, number: int) -> None:
    """The read with this number fails with an error of any kind but that for a missing file."""
    _expect_another_error(_numbered(seen, number))


@then("each content read equals the stored bytes")
def each_content_equals_stored_bytes(seen: Observation, scene: Scene, hint: str = "") -> None:
    """Every read returns the whole content of its own file, and every file is read."""
    _expect_files(scene, {answer.path for answer in seen.answers})
    for answer in seen.answers:
        _expect_content(answer, scene.files[answer.path], hint)


@then("each content read equals the stored bytes, unless the backend refuses the name", waives={"results"})
def each_content_equals_stored_bytes_or_is_refused(seen: Observation, scene: Scene) -> None:
    """Every read returns the content of its own file; or the backend was not opened, because it cannot store a name."""
    if not any(call.method == "open" and call.error for call in seen.store_calls):
        each_content_equals_stored_bytes(seen, scene, _REFUSE)


@then("each content read equals the stored bytes, and the written file is read or refused")
def written_file_is_read_or_refused(seen: Observation, scene: Scene) -> None:
    """The stored files are unchanged, and the read returns what was written; or the write and the read fail."""
    [write] = [step for step in scene.backend if isinstance(step, Write)]
    refused = [call.error for call in seen.store_calls if call.method == "write" and call.error]
    written = _other_answer(seen, scene, write.path)
    if not refused:
        _expect_content(written, write.file, _REFUSE)
    elif refused[0].kind != "cannot_store":
        hint = "in Python, raise loopspec.CannotStore(path)"
        raise Mismatch("the kind of the error of the write", "cannot_store", refused[0], hint)
    else:
        _expect_failure(written)


@then('each content read equals the stored bytes, and reading "{path}" fails with a missing-file error')
def others_equal_stored_bytes_and_one_is_missing(seen: Observation, scene: Scene, path: str) -> None:
    """Every read returns the whole content of its own file, and the read of the path fails with an error for a missing
    file.
    """
    _expect_missing(_other_answer(seen, scene, path))


@then('each content read equals the stored bytes, and reading "{path}" fails, but not with a missing-file error')
def others_equal_stored_bytes_and_one_fails_otherwise(seen: Observation, scene: Scene, path: str) -> None:
    """Every read returns the whole content of its own file, and the read of the path fails with an error of any kind
    but that for a missing file.
    """
    _expect_another_error(_other_answer(seen, scene, path))


@then('each content read equals the stored bytes, and reading "{path}" fails')
def others_equal_stored_bytes_and_one_fails(seen: Observation, scene: Scene, path: str) -> None:
    """Every read returns the whole content of its own file, and the read of the path fails with an error of any kind.

    Escapes in the path stand for characters.
    """
    _expect_failure(_other_answer(seen, scene, as_text(path)))


def _other_answer(seen: Observation, scene: Scene, path: str) -> Answered:
    """Return the answer for the path, after a check that all other answers are the stored files."""
    others = [answer for answer in seen.answers if answer.path != path]
    _expect_files(scene, [answer.path for answer in others])
    for answer in others:
        _expect_content(answer, scene.files[answer.path])
    found = [answer for answer in seen.answers if answer.path == path]
    expect(f"the number of answers for {short_name(path)}", 1, len(found))
    return found[0]


@then("the contents read are {contents}")
def contents_are(seen: Observation, contents: str) -> None:
    """The reads return these contents in order."""
    wanted, found = [as_text(text) for text in names(contents)], [_text_of(answer) for answer in seen.answers]
    if found != wanted:
        empty = any(answer.content is None for answer in seen.answers)
        found = [text if answer.content else _NOTHING for answer, text in zip(seen.answers, found, strict=True)]
        raise Mismatch("the contents read", wanted, found, _INSTEAD if empty else "")


@then("the contents read are, in any order, {contents}")
def contents_in_any_order_are(seen: Observation, contents: str) -> None:
    """The reads return these contents, each once."""
    expect("the contents, sorted", sorted(names(contents)), sorted(_text_of(answer) for answer in seen.answers))


@then("the lines read are, in any order, {lines}")
def lines_in_any_order_are(seen: Observation, lines: str) -> None:
    """Each read returns one of these lines, and each line is read equally often."""
    wanted = list(names(lines))
    each = len(seen.answers) // len(wanted)
    expect("the lines read, sorted", sorted(wanted * each), sorted(_text_of(one).rstrip("\n") for one in seen.answers))


@then('the first read fails with a missing-file error, and the second returns "{content}"')
def first_is_missing_and_second_returns(seen: Observation, content: str) -> None:
    """The first read fails with an error for a missing file, and the second read returns the content."""
    first, second = _answers(seen, 2)
    _expect_missing(first, f"the first read, of {first.name}")
    expect("the second content read", content, _text_of(second))


@then("the first read returns the stored bytes, and the second fails, but not with a missing-file error")
def first_is_stored_and_second_fails(seen: Observation, scene: Scene) -> None:
    """The first read returns the whole content, and the second fails with any error but that for a missing file."""
    _, second = _answers(seen, 2)
    _first_is_stored(seen, scene)
    _expect_another_error(second)


@then("the first read returns the stored bytes, and closing the backend succeeds each time")
def first_is_stored_and_closing_succeeds(seen: Observation, scene: Scene) -> None:
    """The first read returns the whole content, and no call of close fails."""
    _first_is_stored(seen, scene)
    failed = [call.error for call in seen.store_calls if call.method == "close" and call.error]
    expect("the errors of close", [], failed)


@then("the first read returns the stored bytes, and each later read returns the stored bytes or fails")
def first_is_stored_and_later_ones_are_or_fail(seen: Observation, scene: Scene) -> None:
    """The first read returns the whole content. No later read returns another content."""
    _first_is_stored(seen, scene)
    _expect_files(scene, {answer.path for answer in seen.answers}, "")
    for answer in seen.answers:
        if answer.error is None:
            _expect_content(answer, scene.files[answer.path])


def _first_is_stored(seen: Observation, scene: Scene) -> None:
    """Compare the first answer with the stored file."""
    stored = [answer for answer in seen.answers[:1] if answer.path in scene.files]
    expect("the number of first answers for a stored file", 1, len(stored))
    _expect_content(stored[0], scene.files[stored[0].path])


@then("each content read is a whole content that the file had")
def each_content_is_a_whole_one(seen: Observation, scene: Scene) -> None:
    """Every read returns the stored content, or the content of one change."""
    _expect_files(scene, {answer.path for answer in seen.answers}, "")
    steps = [one for step in scene.backend if isinstance(step, Meanwhile) for one in step.steps]
    for answer in seen.answers:
        if answer.error is not None:
            hint = "during a change, the file must not be absent: write a new file, and move it over the old one"
            raise Mismatch(f"reading {answer.name} during a change", "content", answer.error, hint)
        versions = [scene.files[answer.path], *(one.file for one in steps if isinstance(one, Write))]
        found = _bytes_of(answer)
        if all(version.content != found for version in versions):
            parts = sorted({chr(letter) for letter in found})
            what = f"{len(found)} bytes with the letters {''.join(parts):.30}"
            raise Mismatch(f"the content of {answer.name}", "one of the contents that the file had", what)


@then("the reads leave no {resource}", resource=RESOURCES)
def reads_leave_no_resource(seen: Observation, resource: str) -> None:
    """After three times 1,000 reads, the process has no more of the resource than before, apart from a pool.

    A pool stops growing: growth counts if it occurs each time.
    """
    what = RESOURCES.read(resource)
    found = [getattr(grown, what) for grown in seen.resources]
    expect(f"the {what} that the reads leave", [0], found, "release in each read what the read opens, also if it fails")
