r"""Then: names that a backend refuses, contents during changes, and resources after reads."""

from __future__ import annotations

from loopspec.contract.mismatch import Mismatch, expect
from loopspec.contract.observation import Observation
from loopspec.contract.scene import Meanwhile, Scene, Write

from ..cells import as_text, file_of, names
from ..declarations import ClosedList, Word
from ..phrasebook import then, waives
from .backend import (
    REFUSE,
    bytes_of,
    expect_another_error,
    expect_failure,
    expect_files,
    other_answer,
    same,
    text_of,
)

RESOURCES: ClosedList[str] = ClosedList(
    "resources of a process",
    "What a process has open.",
    Word("open descriptor", "A file or a connection.", "descriptors"),
    Word("running thread", "A thread, also of a library.", "threads"),
    Word("pending task", "An asyncio task; in Go a goroutine, in Node a timer or an open request.", "tasks"),
)


@then("each content read equals the stored bytes, unless the backend refuses the name")
@waives("results")
def each_answer_is_stored_or_refused(seen: Observation, scene: Scene) -> None:
    """Every read returns the content of its own file; or the backend was not opened, because it cannot store a name."""
    if any(call.method == "open" and call.error for call in seen.store_calls):
        return
    expect_files("the files answered for, sorted", scene, {answer.path for answer in seen.answers})
    for answer in seen.answers:
        same(answer, scene.files[answer.path], REFUSE)


@then("each content read equals the stored bytes, and the written file is read or refused")
def written_or_refused(seen: Observation, scene: Scene) -> None:
    """The stored files are unchanged, and the read returns what was written; or the write and the read fail."""
    [write] = [step for step in scene.backend if isinstance(step, Write)]
    refused = [call.error for call in seen.store_calls if call.method == "write" and call.error]
    written = other_answer(seen, scene, write.path)
    if not refused:
        same(written, write.file, REFUSE)
    elif refused[0].kind != "cannot_store":
        hint = "in Python, raise loopspec.CannotStore(path)"
        raise Mismatch("the kind of the error of the write", "cannot_store", refused[0], hint)
    else:
        expect_failure(written)


@then('each content read equals the stored bytes, and reading "{path}" fails')
def each_answer_but_any_failure(seen: Observation, scene: Scene, path: str) -> None:
    """Every read returns the whole content of its own file, and the read of the path fails with an error of any kind.

    Escapes in the path stand for characters.
    """
    expect_failure(other_answer(seen, scene, as_text(path)))


@then("the first read returns the stored bytes, and the second fails, but not with a missing-file error")
def stored_then_failure(seen: Observation, scene: Scene) -> None:
    """The first read returns the whole content, and the second fails with any error but that for a missing file."""
    expect("the number of answers", 2, len(seen.answers))
    _first_is_stored(seen, scene)
    expect_another_error(seen.answers[1])


def _first_is_stored(seen: Observation, scene: Scene) -> None:
    """Compare the first answer with the stored file."""
    stored = [answer for answer in seen.answers[:1] if answer.path in scene.files]
    expect("the number of first answers for a stored file", 1, len(stored))
    same(stored[0], scene.files[stored[0].path])


@then("the first read returns the stored bytes, and closing the backend succeeds each time")
def stored_then_closed(seen: Observation, scene: Scene) -> None:
    """The first read returns the whole content, and no call of close fails."""
    _first_is_stored(seen, scene)
    failed = [call.error for call in seen.store_calls if call.method == "close" and call.error]
    expect("the errors of close", [], failed)


@then("the first read returns the stored bytes, and each later read returns the stored bytes or fails")
def stored_then_stored_or_failure(seen: Observation, scene: Scene) -> None:
    """The first read returns the whole content. No later read returns another content."""
    _first_is_stored(seen, scene)
    expect_files("the files answered for", scene, {answer.path for answer in seen.answers})
    for answer in seen.answers:
        if answer.error is None:
            same(answer, scene.files[answer.path])


@then("each content read is a whole content that the file had")
def each_answer_is_a_version(seen: Observation, scene: Scene) -> None:
    """Every read returns the stored content, or the content of one change."""
    expect_files("the files answered for", scene, {answer.path for answer in seen.answers})
    steps = [one for step in scene.backend if isinstance(step, Meanwhile) for one in step.steps]
    for answer in seen.answers:
        if answer.error is not None:
            hint = "during a change, the file must not be absent: write a new file, and move it over the old one"
            raise Mismatch(f"reading {answer.name} during a change", "content", answer.error, hint)
        versions = [scene.files[answer.path], *(one.file for one in steps if isinstance(one, Write))]
        found = bytes_of(answer)
        if all(version.content != found for version in versions):
            parts = sorted({chr(letter) for letter in found})
            what = f"{len(found)} bytes with the letters {''.join(parts):.30}"
            raise Mismatch(f"the content of {answer.name}", "one of the contents that the file had", what)


@then("the reads leave no {resource}", resource=RESOURCES)
def nothing_is_left(seen: Observation, resource: str) -> None:
    """After three times 1,000 reads, the process has no more of the resource than before, apart from a pool.

    A pool stops growing: growth counts if it occurs each time.
    """
    what = RESOURCES.read(resource)
    found = [getattr(grown, what) for grown in seen.resources]
    expect(f"the {what} that the reads leave", [0], found, "release in each read what the read opens, also if it fails")


@then('the content read is "{content}"')
def content_is(seen: Observation, content: str) -> None:
    r"""The read returns exactly these bytes. `\n`, `\r` and `\uXXXX` stand for characters, `\xXX` for a byte."""
    expect("the number of answers", 1, len(seen.answers))
    same(seen.answers[0], file_of(content))


@then("the contents read are, in any order, {contents}")
def contents_are(seen: Observation, contents: str) -> None:
    """The reads return these contents, each once."""
    expect("the contents, sorted", sorted(names(contents)), sorted(text_of(answer) for answer in seen.answers))


@then("the lines read are, in any order, {lines}")
def lines_are(seen: Observation, lines: str) -> None:
    """Each read returns one of these lines, and each line is read equally often."""
    wanted = list(names(lines))
    each = len(seen.answers) // len(wanted)
    expect("the lines read, sorted", sorted(wanted * each), sorted(text_of(one).rstrip("\n") for one in seen.answers))
