"""The known differences of a target, so that only new failures fail the build."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec import Struct

from ..contract.faults import UsageError
from ..specification.cases import Case
from ..specification.ledger import JUDGED, ledger
from ..specification.lookup import case_named
from ..specification.renamed import new_name
from .output import write_text
from .result import Result
from .verdict import Verdict

UNEXPLAINED = "not yet explained"
_ENTRY = re.compile(r"^[ \t]*\[\[[ \t]*known[ \t]*\]\]", re.MULTILINE)


class Known(Struct, frozen=True, forbid_unknown_fields=True):
    """One entry: a case (`ID :: title`), or by hand a bare rule id, and why it fails.

    `flaky`: the case fails in some runs only, so a pass does not make the entry stale.
    """

    case: str
    reason: str
    link: str = ""
    flaky: bool = False


class Baseline(Struct, frozen=True, forbid_unknown_fields=True):
    """A baseline file."""

    known: tuple[Known, ...] = ()

    def entry(self, result: Result) -> Known | None:
        """The entry for a case: the entry of the case precedes that of its rule."""
        entries = {known.case: known for known in self.known}
        return next((entries[name] for name in (result.case, *result.rules) if name in entries), None)

    def is_unexplained(self, result: Result) -> bool:
        """Whether the entry for a case still has the placeholder of `--write-baseline` as its reason."""
        entry = self.entry(result)
        return entry is not None and entry.reason == UNEXPLAINED

    def judge(self, result: Result) -> Verdict:
        """The verdict with the baseline applied: a listed failure is known, a listed pass is stale.

        An entry for a rule is stale only if none of its cases fails, which is known at the end of the run. A pass of a
        flaky case is a pass.
        """
        entry = self.entry(result)
        if entry is None:
            return result.verdict
        if result.verdict == "failed":
            return "known"
        is_stale = result.verdict == "passed" and entry.case == result.case and not entry.flaky
        return "stale" if is_stale else result.verdict


def load_baseline(path: Path, cases: Iterable[Case]) -> Baseline:
    """Read a baseline. Raises `UsageError`, with a line number, for one that cannot be used."""
    try:
        text = path.read_bytes().decode("utf-8-sig")  # some editors write a byte order mark
        baseline = msgspec.convert(tomllib.loads(text), type=Baseline)
    except OSError as error:
        raise UsageError(f"the baseline {path} cannot be read: {error.strerror}") from None
    except msgspec.ValidationError as error:
        number = re.search(r"\$\.known\[(\d+)\]", str(error))
        line = _line(text, int(number[1])) if number else 1
        raise UsageError(f"the baseline {path}, line {line}: {error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"the baseline {path} is not valid TOML: {error}") from None
    _check_names(path, text, baseline, cases)
    return baseline


def _check_names(path: Path, text: str, baseline: Baseline, cases: Iterable[Case]) -> None:
    names = {name for case in cases for name in (case.id, *case.rule.ids)}
    names |= {rule for rule, row in ledger().rules.items() if row.status in JUDGED}
    seen: set[str] = set()
    for number, entry in enumerate(baseline.known):
        line = _line(text, number)
        if entry.case in seen:
            raise UsageError(f"the baseline {path}, line {line}: {entry.case!r} is listed twice: keep one entry")
        seen.add(entry.case)
        if entry.case not in names and case_named(entry.case) is None:
            raise UsageError(
                f"the baseline {path}, line {line}: there is no case or rule {entry.case!r}{_renamed(path, entry.case)}"
            )
        if not entry.reason.strip():
            raise UsageError(f"the baseline {path}, line {line}: {entry.case!r} has no reason")


def _renamed(path: Path, name: str) -> str:
    found = new_name(name)
    if found is None:
        return "; see `loopspec list`"
    version, new = found
    now = f"is {new!r}" if new else "has no successor"
    return f": since {version} it {now}; `loopspec baseline rename {version} {path}` updates the file"


def _line(text: str, number: int) -> int:
    """The line of an entry, counted from 0; for another form than `[[known]]`, 1."""
    starts = [hit.start() for hit in _ENTRY.finditer(text)]
    return text.count("\n", 0, starts[number]) + 1 if number < len(starts) else 1


def write_baseline(path: Path, target: str, results: Iterable[Result], before: Baseline) -> int:
    """Write the failures, known ones included, with their earlier reasons; return the number of failures.

    A flaky entry and an entry without a judged case are kept.
    """
    results = list(results)
    failed = [result for result in results if result.verdict in ("failed", "known")]
    lines = [f"# Known differences of {target}. Every entry needs a reason."]
    judged = {n for r in results if r.verdict not in ("not-run", "inapplicable") for n in (r.case, *r.rules)}
    olds = [(result, before.entry(result)) for result in failed]
    entries = [_renewed(result, old) for result, old in olds if not (old and old.flaky)]
    for entry in [*entries, *(known for known in before.known if known.flaky or known.case not in judged)]:
        lines += ["", "[[known]]", f"case = {quoted(entry.case)}", f"reason = {quoted(entry.reason)}"]
        if entry.link:
            lines.append(f"link = {quoted(entry.link)}")
        if entry.flaky:
            lines.append("flaky = true")
    write_text(path, "\n".join(lines) + "\n")
    return len(failed)


def _renewed(result: Result, old: Known | None) -> Known:
    """The entry of one case with its earlier reason."""
    return Known(result.case, old.reason, old.link) if old else Known(result.case, UNEXPLAINED)


def prune(path: Path, stale: Iterable[str]) -> int:
    """Remove the entries of these cases from the file and nothing else; return the number of removed entries."""
    head, blocks, end = entries_of(path, "pruned")
    if not blocks:
        return 0
    gone = set(stale)
    is_gone = [case_of(path, block) in gone for block in blocks]
    kept = [comments_below(block) if out else block for block, out in zip(blocks, is_gone, strict=True)]
    write_text(path, "".join([head, *kept]).rstrip() + end)
    return sum(is_gone)


def entries_of(path: Path, done: str) -> tuple[str, list[str], str]:
    """The text before the entries of a baseline, the text of each entry, and the line ending.

    Raises `UsageError`, with `done` as the failed operation, if the entries are not separate tables.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
        count = len(tomllib.loads(text).get("known", ()))
    except OSError as error:
        raise UsageError(f"the baseline {path} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"the baseline {path} is not valid TOML: {error}") from None
    starts = [hit.start() for hit in _ENTRY.finditer(text)]
    if len(starts) != count:
        raise UsageError(
            f"the baseline {path} cannot be {done}: write each entry below a line `[[known]]`, "
            "and no such line inside a text"
        )
    blocks = [text[a:b] for a, b in zip(starts, [*starts[1:], len(text)], strict=False)]
    return text[: starts[0]] if starts else text, blocks, "\r\n" if "\r\n" in text else "\n"


def case_of(path: Path, block: str) -> str:
    """Return the case of an entry's text. Raises `UsageError` for a text that is no entry."""
    try:
        return msgspec.convert(tomllib.loads(block), type=Baseline).known[0].case
    except msgspec.ValidationError as error:
        raise UsageError(f"the baseline {path}: {error}, in an entry that begins {block[:60]!r}") from None


def comments_below(block: str) -> str:
    """Return the comments after an entry, which belong to the next one."""
    lines = block.splitlines(keepends=True)
    last = max(n for n, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#"))
    return "".join(lines[last + 1 :]).lstrip()


def quoted(text: str) -> str:
    """Return a TOML string, which equals the JSON string of a text without surrogates."""
    return msgspec.json.encode(text).decode()
