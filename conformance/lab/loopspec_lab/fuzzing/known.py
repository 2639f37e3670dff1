"""Known differences: entries of a TOML file, each with a predicate over both outcomes that is data."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import msgspec
from msgspec import Struct

from loopspec.contract.faults import UsageError

from ..comparing.differences import Difference, sides

_ENTRY = re.compile(r"^[ \t]*\[\[[ \t]*difference[ \t]*\]\]", re.MULTILINE)


class KnownDifference(Struct, frozen=True, forbid_unknown_fields=True):
    """One entry: a difference fits if the source is equal and the path and both values match their patterns.

    In a pattern, `*` stands for any text. A value that is no text is compared as JSON, and a missing value is
    the text `nothing`.
    """

    source: str
    reason: str
    path: str = "*"
    ours: str = "*"
    theirs: str = "*"
    link: str = ""

    def fits(self, difference: Difference) -> bool:
        """Whether the difference is this one."""
        ours, theirs = sides(difference)
        return (
            difference.source == self.source
            and _matches(difference.path, self.path)
            and _matches(ours, self.ours)
            and _matches(theirs, self.theirs)
        )


def _matches(text: str, pattern: str) -> bool:
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), text, re.DOTALL) is not None


class KnownDifferences(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of known differences."""

    difference: tuple[KnownDifference, ...] = ()

    def index(self, difference: Difference) -> int | None:
        """The place of the first entry that fits a difference."""
        return next((at for at, entry in enumerate(self.difference) if entry.fits(difference)), None)


def load_known(path: Path) -> KnownDifferences:
    """Read a file of known differences. Raises `UsageError`, with a line number, for one that cannot be used."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
        known = msgspec.convert(tomllib.loads(text), type=KnownDifferences)
    except OSError as error:
        raise UsageError(f"the known differences {path} cannot be read: {error.strerror}") from None
    except msgspec.ValidationError as error:
        number = re.search(r"\$\.difference\[(\d+)\]", str(error))
        line = _line(text, int(number[1])) if number else 1
        raise UsageError(f"the known differences {path}, line {line}: {error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"the known differences {path} are not valid TOML: {error}") from None
    for at, entry in enumerate(known.difference):
        if not entry.reason.strip():
            raise UsageError(f"the known differences {path}, line {_line(text, at)}: the entry has no reason")
    return known


def _line(text: str, at: int) -> int:
    """The line of an entry, counted from 0; 1 for another form than `[[difference]]`."""
    starts = [hit.start() for hit in _ENTRY.finditer(text)]
    return text.count("\n", 0, starts[at]) + 1 if at < len(starts) else 1
