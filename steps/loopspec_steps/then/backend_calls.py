"""Then: the reads among calls of the backend under test, by their numbers."""

from __future__ import annotations

from loopspec.contract.mismatch import Mismatch
from loopspec.contract.observation import Answered, Observation

from ..cells import as_text, unescape
from ..phrasebook import then
from .backend import NOTHING, bytes_of, expect_another_error, expect_missing


def _answer(seen: Observation, number: int) -> Answered:
    if not 0 < number <= len(seen.answers):
        raise Mismatch("the number of reads", f"at least {number}", len(seen.answers))
    return seen.answers[number - 1]


@then('read {number:d} returns "{content}"')
def read_returns(seen: Observation, number: int, content: str) -> None:
    r"""The read with this number returns exactly this content. `\n`, `\uXXXX` and `\xXX` stand for characters."""
    answer = _answer(seen, number)
    if answer.error is None and answer.content is None:
        raise Mismatch(f"read {number}, of {answer.name}", as_text(content), NOTHING, "return str or bytes")
    found = bytes_of(answer)
    if found != unescape(content):
        raise Mismatch(f"read {number}, of {answer.name}", unescape(content), found)


@then("read {number:d} fails with a missing-file error")
def read_is_missing(seen: Observation, number: int) -> None:
    """The read with this number fails with the error for a missing file."""
    answer = _answer(seen, number)
    expect_missing(answer, f"read {number}, of {answer.name}")


@then("read {number:d} fails, but not with a missing-file error")
def read_is_another_error(seen: Observation, number: int) -> None:
    """The read with this number fails with an error of any kind but that for a missing file."""
    expect_another_error(_answer(seen, number))
