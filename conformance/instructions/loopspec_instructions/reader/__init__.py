"""Instruction files as different tools read them: one reader, and one `Dialect` value per tool.

What belongs here: the axes, the disk as the reader sees it, discovery, imports, and the budget. No name of a tool and
no choice of a tool is here: a caller makes the `Dialect`.
"""

from .dialect import Dialect
from .disk import DiskFiles
from .loading import Limits
from .memory import MemoryFiles
from .reader import read_instructions
from .reading import Reading, ReadingEndedError

__all__ = ["Dialect", "DiskFiles", "Limits", "MemoryFiles", "Reading", "ReadingEndedError", "read_instructions"]
