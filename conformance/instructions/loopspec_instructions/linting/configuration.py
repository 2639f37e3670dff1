"""`loopspec.toml`: which tools a repository means, and which findings it accepts."""

from __future__ import annotations

import stat
from collections.abc import Sequence
from datetime import date
from fnmatch import fnmatchcase
from pathlib import Path

import msgspec
from msgspec import Struct

from loopspec.contract.dialects import dialect_hint, dialect_names
from loopspec.contract.faults import UsageError
from loopspec.contract.names import did_you_mean

from .findings import Finding, Suppressed
from .rules import rules

FILE = "loopspec.toml"
_MOST = 1 << 20  # bytes
EVERY_RULE = "*"
_FORM = (
    "the table [lint] has `tools`, `exclude`, `include`, `starts` and `ignore`, and an entry of `ignore` has `rule`, "
    "`path`, `reason` and `until`, a date such as 2030-12-31"
)


class Ignore(Struct, frozen=True, forbid_unknown_fields=True):
    """A finding that a repository accepts: the rule, the path or a pattern such as "docs/*", and the reason.

    The rule "*" stands for every rule. `until` is the last day of the exception.
    """

    rule: str
    path: str
    reason: str
    until: date | None = None

    def matches(self, finding: Finding) -> bool:
        """Whether the entry is about a finding."""
        return self.rule in (finding.rule, EVERY_RULE) and fnmatchcase(finding.path, self.path)


class Configuration(Struct, frozen=True, forbid_unknown_fields=True):
    """The table `[lint]`.

    `exclude` are paths or patterns that are not linted, `include` those that are linted although they would be left
    out, `starts` folders in which a tool is started.
    """

    tools: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    starts: tuple[str, ...] = ()
    ignore: tuple[Ignore, ...] = ()

    def filtered(
        self, findings: Sequence[Finding], today: date
    ) -> tuple[tuple[Finding, ...], tuple[Suppressed, ...], tuple[str, ...]]:
        """The findings that count, those that are ignored, and a sentence for each entry that ignores nothing."""
        ignoring = [one for one in self.ignore if one.until is None or one.until >= today]
        entries = [next((one for one in ignoring if one.matches(each)), None) for each in findings]
        kept = (each for each, entry in zip(findings, entries, strict=True) if entry is None)
        suppressed = (Suppressed(each, entry.reason) for each, entry in zip(findings, entries, strict=True) if entry)
        unused = (
            f"{FILE} ignores {one.rule} in {one.path}, and there is no such finding: remove or correct the entry"
            if one in ignoring
            else f"{FILE} ignored {one.rule} in {one.path} until {one.until}: mend the finding and remove the entry"
            for one in self.ignore
            if one not in entries
        )
        return tuple(kept), tuple(suppressed), tuple(unused)


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    lint: Configuration = Configuration()


def must_be_folder(folder: Path) -> None:
    """Raise `UsageError` for a missing folder, and for another file: neither has findings."""
    if not folder.is_dir():
        raise UsageError(f"{str(folder)!r} is no folder: name the folder of a repository")


def configuration_of(folder: Path) -> Configuration:
    """The configuration of a folder; the default one without a file. Raises `UsageError` for an invalid one."""
    must_be_folder(folder)
    path = folder / FILE
    try:
        found = msgspec.toml.decode(_read(path), type=_File).lint
    except msgspec.ValidationError as error:
        raise UsageError(f"{path} is invalid: {error}: {_FORM}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is no file in TOML and UTF-8: {' '.join(str(error).split())}") from None
    for tool in found.tools:
        require_tool(tool, f"{path}: ")
    for entry in found.ignore:
        if entry.rule not in rules() and entry.rule != EVERY_RULE:
            hint = did_you_mean(entry.rule, rules(), "the rules are LINT-01 and so on, and '*' is every rule")
            raise UsageError(f"{path}: there is no rule {entry.rule!r}{hint}")
        if not entry.reason.strip():
            raise UsageError(f"{path}: ignoring {entry.rule} in {entry.path!r} needs a reason")
    return found


def _read(path: Path) -> bytes:
    """The bytes of the file; none without a file."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > _MOST:
            raise UsageError(f"{path} is no file of at most {_MOST} bytes: correct or remove the entry")
        return path.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}: correct or remove the file") from None


def require_tool(name: str, where: str = "") -> None:
    """Raise `UsageError` for a name that is no dialect."""
    if name not in dialect_names():
        raise UsageError(f"{where}there is no tool {name!r}{dialect_hint(name)}")
