"""The harness's files come as text or as bytes, and both forms are judged."""

from __future__ import annotations

from contextlib import closing

import msgspec
import pytest

from loopspec.contract.scene import File, ReadForm
from loopspec.engine.judge import judge
from loopspec.protocol.conversion import file_reply
from loopspec.protocol.messages import FileReply
from loopspec.specification.features import compiled
from loopspec.stage import environment
from loopspec.stage.environment import as_read, read_file
from loopspec.targets.resolve import resolve


@pytest.mark.parametrize(
    ("content", "form"),
    [
        (b"", str),
        (b"a", bytes),
        (b"ab", str),
        ("é".encode(), str),
        ("é!".encode(), bytes),
        (b"\xff\xfe", bytes),
    ],
)
def test_the_form_depends_on_the_number_of_bytes(content: bytes, form: type) -> None:
    """Content of an odd number of bytes, and content that is not UTF-8, is returned as bytes; other content as text."""
    found = read_file(File(base64=content), "/p/a.md", None)

    assert isinstance(found, form)
    assert (found.encode() if isinstance(found, str) else found) == content


def test_most_cases_with_files_return_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """At least half of the cases in which a file is read return bytes, and at least a third return text."""
    forms: dict[str, set[type]] = {}

    def reading_file(file: File | None, path: str, form: ReadForm | None) -> str | bytes | None:
        found = None
        try:
            found = read_file(file, path, form)
            return found
        finally:
            forms.setdefault(case.id, set()).add(type(found))

    monkeypatch.setattr(environment, "read_file", reading_file)
    with closing(resolve("reference")) as target:
        for case in compiled():
            judge(case, target)

    reading = [found - {type(None)} for found in forms.values() if found != {type(None)}]
    assert len(reading) > 250
    assert sum(bytes in found for found in reading) * 2 >= len(reading)
    assert sum(str in found for found in reading) * 3 >= len(reading)


@pytest.mark.parametrize("content", [b"a", b"ab", b"\r\n\xef\xbb\xbf", b"\xff\xfe"])
def test_the_form_is_the_same_over_the_pipe(content: bytes) -> None:
    """The message keeps the form: text in `text`, bytes in `base64`."""
    found = as_read(content)
    sent = msgspec.json.decode(msgspec.json.encode(file_reply(found)), type=FileReply)

    assert (sent.base64 if sent.base64 is not None else sent.text) == found
