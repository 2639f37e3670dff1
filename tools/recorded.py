"""`python -m tools.recorded ADAPTER`: record the observations of an implementation that tests do without.

The command needs the implementation, performs every applicable case on it, and writes the observations into
`recorded.jsonl` in the adapter's folder. Without the implementation, the current features and baseline judge the
record. The implementation is needed again only for a changed Scene.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shlex
from collections.abc import Iterator
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path

import msgspec
from msgspec import Struct

from loopspec import __version__
from loopspec.contract.observation import Observation
from loopspec.contract.reasons import Inapplicable
from loopspec.contract.roles import Role
from loopspec.contract.specification import digest
from loopspec.contract.target import Identity, Target
from loopspec.engine.baseline_text import RenamingMap, load_map
from loopspec.engine.checking import look
from loopspec.engine.judge import role_for
from loopspec.engine.output import write_text
from loopspec.engine.perform import perform
from loopspec.engine.result import Result, Verdict
from loopspec.specification.cases import Case
from loopspec.specification.features import compiled
from loopspec.targets.resolve import AbsentTarget, resolve

from .pages import ADAPTERS

_LONG = 10_000  # bytes of an Observation: beyond, only the verdict is kept


class Stale(Exception):
    """Raised for a record without an observation of a current case."""


class Asked(Struct, frozen=True, kw_only=True):
    """The first line: the implementation, and the features."""

    identity: Identity
    roles: tuple[str, ...]
    capabilities: tuple[str, ...]
    suite: str
    features: str


class Seen(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Any other line: the observation of a case. `scene` is a digest of its Scene."""

    case: str
    scene: str
    verdict: Verdict
    observation: Observation | None = None


@dataclass(frozen=True)
class Record:
    """The observations of one implementation."""

    folder: Path
    asked: Asked
    seen: dict[str, Seen]

    def results(self) -> list[Result]:
        """The results of the applicable cases with current verdicts. Raises `Stale`."""
        target = AbsentTarget(self.asked.identity, self.asked.roles, self.asked.capabilities)
        return [self._result(case) for case, _ in _applicable(target)]

    def _result(self, case: Case) -> Result:
        seen = self.seen.get(case.id)
        if seen is None or seen.scene != digest_of(case.scene):
            raise Stale(
                f"{self.asked.identity.name} has not been asked about {case.id!r} as it is now: "
                f"install it as its README says, and run `python -m tools.recorded {self.folder.name}`"
            )
        if seen.observation is None:
            return Result(case.id, case.rule.ids, seen.verdict)
        return look(case, seen.observation)


def read_record(folder: Path) -> Record:
    """Read the record in an adapter's folder."""
    first, *lines = (folder / "recorded.jsonl").read_bytes().splitlines()
    seen = [msgspec.json.decode(line, type=Seen) for line in lines]
    return Record(folder, msgspec.json.decode(first, type=Asked), {each.case: each for each in seen})


def command(folder: Path) -> list[str]:
    """The arguments of `loopspec` in an adapter's README."""
    text = (folder / "README.md").read_text(encoding="utf-8")
    found = re.search(r"^loopspec (run .*?[^\\])$", text, re.MULTILINE | re.DOTALL)
    assert found, f"the README in {folder} names no command"
    return shlex.split(found[1].replace("\\\n", ""))


def ask(folder: Path) -> Record:
    """Perform every applicable scene on the implementation."""
    with chdir(folder):
        target = resolve(command(folder)[1])
        try:
            seen = [_seen(case, perform(target, case.scene, role)) for case, role in _applicable(target)]
        finally:
            target.close()
    asked = Asked(
        identity=target.identity,
        roles=tuple(sorted(target.roles)),
        capabilities=tuple(sorted(target.capabilities)),
        suite=__version__,
        features=digest(),
    )
    return Record(folder, asked, {each.case: each for each in seen})


def _applicable(target: Target) -> Iterator[tuple[Case, Role]]:
    for case in compiled():
        if not isinstance(role := role_for(case, target), Inapplicable):
            yield case, role


def _seen(case: Case, observation: Observation) -> Seen:
    is_long = len(msgspec.json.encode(observation)) >= _LONG
    return Seen(
        case=case.id,
        scene=digest_of(case.scene),
        verdict=look(case, observation).verdict,
        observation=None if is_long else observation,
    )


def digest_of(value: Struct) -> str:
    """The digest of a part of a scene, in whatever order its type has the fields."""
    return hashlib.sha256(msgspec.json.encode(value, order="sorted")).hexdigest()[:16]


def renamed(record: Record, names: RenamingMap) -> Record:
    """The same record under the present names of the cases. A scene that has changed stays stale."""
    lines = [msgspec.structs.replace(seen, case=names.renamed.get(name, name)) for name, seen in record.seen.items()]
    return Record(record.folder, record.asked, {line.case: line for line in lines})


def main() -> None:
    """Make a record, or rename its cases."""
    parser = argparse.ArgumentParser(prog="python -m tools.recorded", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("adapter", help="a folder in conformance/adapters")
    parser.add_argument("--rename", metavar="MAP", help="only rename the cases, by a map of `loopspec baseline rename`")
    arguments = parser.parse_args()
    folder = ADAPTERS / arguments.adapter
    record = renamed(read_record(folder), load_map(arguments.rename)) if arguments.rename else ask(folder)
    lines = [record.asked, *record.seen.values()]
    write_text(folder / "recorded.jsonl", "".join(msgspec.json.encode(line).decode() + "\n" for line in lines))


if __name__ == "__main__":
    main()
