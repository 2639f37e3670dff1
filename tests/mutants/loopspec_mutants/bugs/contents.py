"""Realistic bugs in one of the two forms of content that a backend may return: bytes, or text."""

from __future__ import annotations

from contextlib import AbstractContextManager
from unittest.mock import patch

from loopspec_reference import Content
from loopspec_reference.agentsmd import loader

from ..registry import bug

_MARK = "\ufeff"  # the byte order mark


def _takes(bytes_: bool, change: str) -> AbstractContextManager[object]:
    """Patch the reading of one form: `fails`, `lines` for CRLF to LF, `mark` for the byte order mark."""
    text = loader._Loading._text

    def takes(self: loader._Loading, content: Content) -> str:
        if isinstance(content, bytes) is not bytes_:
            return text(self, content)
        if change == "fails":
            raise TypeError(f"cannot read {type(content).__name__}")
        read = text(self, content)
        return read.replace("\r\n", "\n") if change == "lines" else read.removeprefix(_MARK)

    return patch.object(loader._Loading, "_text", takes)


@bug("AMD-FORMAT-08")
def turns_crlf_in_bytes_into_lf() -> AbstractContextManager[object]:
    """Turns CRLF into LF in content that is bytes."""
    return _takes(True, "lines")


@bug("AMD-FORMAT-08")
def turns_crlf_in_text_into_lf() -> AbstractContextManager[object]:
    """Turns CRLF into LF in content that is text."""
    return _takes(False, "lines")


@bug("AMD-FORMAT-08")
def removes_the_mark_from_bytes() -> AbstractContextManager[object]:
    """Removes a byte order mark from content that is bytes."""
    return _takes(True, "mark")


@bug("AMD-FORMAT-08")
def removes_the_mark_from_text() -> AbstractContextManager[object]:
    """Removes a byte order mark from content that is text."""
    return _takes(False, "mark")


@bug("AMD-DEPTH-01")
def fails_on_bytes() -> AbstractContextManager[object]:
    """Fails on content that is bytes."""
    return _takes(True, "fails")


@bug("AMD-DEPTH-01")
def fails_on_text() -> AbstractContextManager[object]:
    """Fails on content that is text."""
    return _takes(False, "fails")
