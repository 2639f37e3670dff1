"""The errors with which reading a file fails, in words."""

from __future__ import annotations

from loopspec.contract.scene import Fault

from .declarations import ClosedList, Word

FAULTS: ClosedList[Fault] = ClosedList(
    "errors of reading",
    "The errors with which reading a file fails; a Then compares the kind only.",
    Word("a missing-file error", "The file does not exist.", Fault(kind="not_exist")),
    Word(
        "a missing-file error inside another error",
        "The file does not exist; the error is the cause of another error.",
        Fault(kind="not_exist", wrapped=True),
    ),
    Word("a permission error", "The file must not be read.", Fault(kind="permission")),
    Word("an I/O error", "The file cannot be read.", Fault(kind="io")),
    Word(
        'an I/O error that says "file not found"',
        "The file cannot be read; only the text of the error says that it is missing.",
        Fault(kind="io", message="file not found"),
    ),
    Word("a directory error", "The path is a directory.", Fault(kind="directory")),
    Word("a not-a-directory error", "The path leads through a file.", Fault(kind="not_a_directory")),
    Word("a cancellation", "The read is cancelled.", Fault(kind="cancelled")),
)
