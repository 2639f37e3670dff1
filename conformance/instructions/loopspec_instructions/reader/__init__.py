"""Instruction files as different tools read them: one reader, and one `Dialect` value per tool.

What belongs here: the axes, the disk as the reader sees it, discovery, imports, and the budget. No name of a tool and
no choice of a tool is here: a caller makes the `Dialect`.
"""

from .dialect import Dialect, Markers
from .disk import DiskFiles
from .files import Content, Entry, Files, Kind
from .loading import Limits
from .memory import Link, MemoryFiles, Node, Special
from .reader import read_instructions
from .reading import LoadedFile, Note, Reading, ReadingEndedError, Reason

__all__ = [
    "Content",
    "Dialect",
    "DiskFiles",
    "Entry",
    "Files",
    "Kind",
    "Limits",
    "Link",
    "LoadedFile",
    "Markers",
    "MemoryFiles",
    "Node",
    "Note",
    "Reading",
    "ReadingEndedError",
    "Reason",
    "Special",
    "read_instructions",
]
