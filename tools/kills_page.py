"""What `python -m tools.kills` writes: the data, and the tables of the guide that are made from them."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

from loopspec_known.results import results as known_results

from .pages import ADAPTERS, ROOT, Block

DATA = ADAPTERS / "kills.toml"
PAGE = ROOT / "conformance" / "loopspec" / "guide" / "when-a-process-dies.md"
TABLE, LISTS = Block(PAGE, "the kills", "tools.kills"), Block(PAGE, "the results", "tools.kills")
EFFECTS = {"reserve": "reserved", "charge": "charged"}  # the tools, and what they return
IN_A_WRITE, TOGETHER, NOT_KILLED = "in-a-write", "two-at-once", "after-the-end"
POINTS = {
    "before-model": "before the first model call",
    "in-model": "in the first model call",
    "after-model": "after it, before the answer is stored",
    "before-tool": "before the first tool",
    "in-tool-before-effect": "in the first tool, before its effect",
    "in-tool-after-effect": "in the first tool, after its effect",
    "between-tools": "between the two tools",
    "in-last-tool": "in the second tool, after its effect",
    "after-tools": "after the second tool",
    "in-second-model": "in the second model call",
    IN_A_WRITE: "in a write of the store",
    NOT_KILLED: "after the end of the run (no kill)",
    TOGETHER: "two processes resume at once",
    "torn": "the store is cut in half",
    "empty": "the store is empty",
    "another-version": "the store has another version",
}
ABOUT = ("versions", "store", "resume", "know")
FAULTS = ("torn", "empty", "another-version")
_PLACES = re.compile(r"0x[0-9a-f]{6,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_HEAD = "# Made by `python -m tools.kills`: see the guide, When a process dies.\n"


class Outcome(Struct, frozen=True, omit_defaults=True):
    """What happened at a point. `kept` is what the store has after the kill, `effects` counts all processes.

    `check` are the rules of `loopspec check` that the stored history breaks after the kill, and `check_after` those
    after the resumed run. `again` is what a further resumption does. `kills` counts kills in `changes` of the store.
    """

    outcome: str
    kept: tuple[str, ...] = ()
    effects: Mapping[str, int] = {}
    check: tuple[str, ...] = ()
    check_after: tuple[str, ...] = ()
    again: str = ""
    kills: int = 0
    changes: int = 0
    sentences: tuple[str, ...] = ()

    @staticmethod
    def of(kept: tuple[str, ...], counts: Counter[str], error: str, more: Counter[str], later: str) -> Outcome:
        """The outcome of a resumption that ends with an error or none, and of a later one that does `more`."""
        twice = [name for name in EFFECTS if counts[name] > 1]
        lost = [name for name in EFFECTS if not counts[name]]
        said = [_twice(name, kept, counts[name]) for name in twice]
        if error and later:
            outcome = "unusable"
            said.append(f"No resumption succeeds: {plain(error)}")
        elif error:
            outcome = "fails once"
            said.append(f"The first resumption fails, and the second one succeeds: {plain(error)}")
        elif lost:
            outcome = f"lost: {', '.join(lost)}"
            said.append(f"The run ends as if `{lost[0]}` had run, and it never ran.")
        elif twice:
            outcome = f"twice: {', '.join(twice)}"
        else:
            outcome = "continues" if kept else "begins again"
        if not kept and not error:
            said.append("The store has nothing of the run, so the caller passes the message of the user again.")
        repeated = [name for name in EFFECTS if more[name]]
        again = "fails" if later else f"repeats {', '.join(repeated)}" if repeated else "calls the model"
        again = again if later or more else "changes nothing"
        return Outcome(outcome, kept, {**counts}, again=again, sentences=tuple(said))


def plain(error: str) -> str:
    """An error as the end of a sentence, without what another run would say otherwise."""
    return f"{_PLACES.sub('…', error).partition(' [SQL: ')[0].rstrip('.')}."


def _twice(name: str, kept: Sequence[str], times: int) -> str:
    had = "although the store had its result" if f"result {name}" in kept else "because the store had no result of it"
    return f"`{name}` ran {'twice' if times == 2 else f'{times} times'}, {had}."


class Implementation(Struct, frozen=True):
    """The results of a program. `store` and `resume` are what it uses of its framework, `know` is for its users."""

    versions: str
    store: str
    resume: str
    know: str
    points: dict[str, Outcome]


def read() -> dict[str, Implementation]:
    """The data, by the name of the folder."""
    data = tomllib.loads(DATA.read_text("utf-8")) if DATA.exists() else {}
    return msgspec.convert(data, type=dict[str, Implementation])


def as_toml(results: Mapping[str, Implementation]) -> str:
    """The text of the data."""
    lines = [_HEAD]
    for name, one in sorted(results.items()):
        lines += [f"[{name}]", *(f"{key} = {_value(getattr(one, key))}" for key in ABOUT), ""]
        for point in POINTS:
            if point in one.points:
                fields = msgspec.to_builtins(one.points[point])
                lines += [
                    f"[{name}.points.{point}]",
                    *(f"{key} = {_value(value)}" for key, value in fields.items()),
                    "",
                ]
    return "\n".join(lines)


def _value(value: object) -> str:
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {_value(one)}' for key, one in sorted(value.items()))} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    return msgspec.json.encode(value).decode()


def _title(name: str) -> str:
    """The framework of a program, and what distinguishes the program from another one of the framework."""
    names = {one.adapter.rpartition("/")[2]: one.name.rpartition(" ")[0] for one in known_results().implementations}
    folder = max((folder for folder in names if name.startswith(folder)), key=len)
    rest = name.removeprefix(folder).replace("_", " ").strip()
    return names[folder] + (f" ({rest})" if rest else "")


def table(results: Mapping[str, Implementation]) -> str:
    """Points and implementations."""
    lines = [f"| killed | {' | '.join(map(_title, results))} |", f"| --- |{' --- |' * len(results)}"]
    for point, words in POINTS.items():
        cells = [one.points[point].outcome if point in one.points else "–" for one in results.values()]
        lines.append(f"| {words} | {' | '.join(cells)} |")
    return "\n".join(lines)


def lists(results: Mapping[str, Implementation]) -> str:
    """What is to be known about each implementation: sentences, each with its points."""
    lines: list[str] = []
    for name, one in results.items():
        lines += [
            f"### {_title(name)}",
            "",
            f"{one.versions}. Store: {one.store}. Resumed by: {one.resume}. {one.know}",
            "",
        ]
        by_sentences: dict[str, list[str]] = {}
        for point, found in one.points.items():
            if found.sentences:
                by_sentences.setdefault(" ".join(found.sentences), []).append(POINTS[point])
        lines += [f"- {'; '.join(points)}: {sentences}" for sentences, points in by_sentences.items()] + [""]
    return "\n".join(lines).rstrip()


def write(results: Mapping[str, Implementation]) -> None:
    """Write the data and the page."""
    DATA.write_text(as_toml(results), encoding="utf-8")
    TABLE.write(table(read()))  # in the order of the data
    LISTS.write(lists(read()))
