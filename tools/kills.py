"""`python -m tools.kills [NAME…]`: kill agents at named points, resume them, and write what happened.

Each program `kills*` of an adapter uses a framework alone, with the framework's own store on disk. A process of it
really receives SIGKILL when it has reached a point and has nothing more to do there. Two further processes resume the
run, one after the other. What was done twice or is lost is read from a journal that no framework sees. The command
needs Linux, a C compiler and the frameworks: the extras of the adapters, and `kills`. A program in Node needs a
variable with the folder of its packages, such as `VERCEL_AI_FOLDER`. The results are `conformance/adapters/kills.toml`
and the tables of the guide; those of other programs than the named ones stay as they are.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

import msgspec

from loopspec_check.formats import FORMATS
from loopspec_check.history import Entry
from loopspec_check.judging import judged
from loopspec_check.values import Record

from .kills_page import (
    ABOUT,
    EFFECTS,
    FAULTS,
    IN_A_WRITE,
    NOT_KILLED,
    POINTS,
    TOGETHER,
    Implementation,
    Outcome,
    plain,
    read,
    write,
)
from .pages import ADAPTERS

_SECONDS = 120.0  # for a process
_TICK = 0.05
_QUIET = {True: 6, False: 40}  # ticks without work after which a process has stopped: at its point, and elsewhere
_KILLS = 12  # in changes of a store


@cache
def _preloaded() -> Path:
    """The library that stops a program in a change of its store."""
    library = Path(tempfile.mkdtemp(prefix="kills-"), "in_writes.so")
    source = Path(__file__).with_name("kills_in_writes.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-w", "-o", library, source, "-ldl"], check=True)
    return library


class Program:
    """A program. One in Python imports its framework once, and forks a process for each call."""

    def __init__(self, words: Sequence[str], *, forks: bool) -> None:
        self._words = words
        env = os.environ | {
            "PYTHONPATH": str(ADAPTERS),
            "PYTHONDONTWRITEBYTECODE": "1",
            "LD_PRELOAD": str(_preloaded()),
        }
        self._env = env
        self._forking = subprocess.Popen(words, env=env, text=True, stdin=-1, stdout=-1) if forks else None

    @staticmethod
    def of(path: Path) -> Program:
        """The program in a file. One in Node is where its packages are: in the folder of a variable."""
        if path.suffix == ".py":
            return Program((sys.executable, str(path)), forks=True)
        if path.suffix == ".go":
            built = Path(tempfile.mkdtemp(prefix="kills-"), "kills")
            subprocess.run(["go", "build", "-o", built, "."], cwd=path.parent, check=True)
            return Program((str(built),), forks=False)
        folder = Path(os.environ[f"{path.parent.name.upper()}_FOLDER"])
        for source in (path, ADAPTERS / "kill_points.mjs"):
            shutil.copy(source, folder)
        return Program(("node", str(folder / path.name)), forks=False)

    def start(self, folder: Path, phase: str, point: str, settings: Mapping[str, str]) -> int:
        """Start a process, and return its id."""
        if self._forking is None:
            words = [*self._words, str(folder), phase, point or "none"]
            with (folder / "output").open("ab") as output:
                env = {**self._env, **settings}
                return subprocess.Popen(words, env=env, stdin=subprocess.DEVNULL, stdout=output, stderr=output).pid
        assert self._forking.stdin
        assert self._forking.stdout
        call = [str(folder), phase, point or "none", *(f"{name}={value}" for name, value in settings.items())]
        print(*call, file=self._forking.stdin, flush=True)
        return int(self._forking.stdout.readline())

    def about(self) -> list[str] | None:
        """What `ABOUT` names, as the program says it; None if the framework is not installed."""
        with _folder() as folder:
            try:
                process = Process(self, folder, "about")
            except (OSError, ValueError):  # the program ended when it imported its framework
                return None
            process.end()
            return [process.said(word)[0] for word in ABOUT]

    def close(self) -> None:
        """End the program that forks."""
        if self._forking is not None:
            self._forking.communicate()


class Process:
    """A process of a program. With `change`, it stops in this change of its store; 0: it is only observed."""

    def __init__(self, program: Program, folder: Path, phase: str, point: str = "", change: int | None = None) -> None:
        self._journal = folder / "journal"
        store = {"KILLS_STORE": str(folder / "store"), "KILLS_JOURNAL": str(self._journal), "KILLS_AT": str(change)}
        self._id = program.start(folder, phase, point, {} if change is None else store)

    def _runs(self) -> bool:
        try:
            state = Path(f"/proc/{self._id}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return False
        if state == "Z":  # a process that this one has started itself
            with suppress(ChildProcessError):
                os.waitpid(self._id, 0)
        return state != "Z"

    def said(self, word: str) -> list[str]:
        """The lines of this process in the journal that begin with a word, without it."""
        lines = [line.split(" ", 2) for line in _lines(self._journal)]
        return [" ".join(rest) for pid, said, *rest in lines if (pid, said) == (str(self._id), word)]

    def stops(self) -> bool:
        """Whether the process has reached its point, or waits for something else. False: it has ended."""
        until, before, quiet = time.monotonic() + _SECONDS, 0, 0
        while self._runs() and time.monotonic() < until:
            time.sleep(_TICK)
            spent, is_asleep = self._work()
            quiet, before = quiet + 1 if is_asleep and spent - before <= 1 else 0, spent
            if quiet >= _QUIET[bool(self.said("at"))]:
                break
        return self._runs()

    def _work(self) -> tuple[int, bool]:
        """The processor time of the process in ticks, and whether each of its threads sleeps."""
        spent, states = 0, set[str]()
        for path in Path(f"/proc/{self._id}/task").glob("*/stat"):
            try:
                fields = path.read_text().rpartition(")")[2].split()
            except OSError:  # the thread has ended
                continue
            spent, states = spent + int(fields[11]) + int(fields[12]), states | {fields[0]}
        return spent, states <= {"S"}

    def kill(self) -> None:
        """Send SIGKILL."""
        with suppress(ProcessLookupError):
            os.kill(self._id, signal.SIGKILL)
        self.end()

    def end(self) -> str:
        """Wait for the end. Returns an error, or nothing."""
        until = time.monotonic() + _SECONDS
        while self._runs():
            if time.monotonic() > until:
                self.kill()
                return f"the process does not end within {_SECONDS:.0f} s"
            time.sleep(_TICK)
        ended = bool(self.said("ended") or self.said("without"))
        return "" if ended else next(iter(self.said("failed")), "the process ends without a word")


def _lines(journal: Path) -> list[str]:
    return journal.read_text("utf-8").splitlines() if journal.exists() else []


def _counted(folder: Path) -> Counter[str]:
    """How often each effect happened in all processes, and `model` for calls of the model."""
    lines = (line.split()[1:] for line in _lines(folder / "journal"))
    return Counter(words[-1] for words in lines if words[0] in ("effect", "model"))


def _stored(folder: Path, when: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The stored messages in short, and the rules of `loopspec check` that they break."""
    for path in folder.glob(f"{when}.*.json"):
        records = iter([Record(msgspec.json.decode(path.read_bytes()))])
        sessions = [
            msgspec.structs.replace(one, messages=[[*message] for message in one.messages])
            for one in FORMATS[path.name.split(".")[1]].sessions(records)
        ]
        findings = [finding.rule for one in sessions for finding in judged(one, ("openai-chat",)) or ()]
        kept = [_short(entry) for one in sessions for message in one.messages for entry in message]
        return tuple(kept), tuple(sorted({*findings}))
    return (), ()


def _short(entry: Entry) -> str:
    if entry.kind == "call":
        return f"call {entry.name}"
    if entry.kind != "result":
        return entry.kind
    name = entry.id.partition("-")[0]
    return f"result {name}" if EFFECTS[name] in str(entry.content) else f"made-up result {name}"


def _resumed(program: Program, folder: Path) -> Outcome:
    """Resume twice, one process after the other."""
    error = Process(program, folder, "resume").end()
    (kept, check), (_, after), first = _stored(folder, "before"), _stored(folder, "after"), _counted(folder)
    later = Process(program, folder, "resume").end()
    found = Outcome.of(kept, first, error, _counted(folder) - first, later)
    return msgspec.structs.replace(found, check=check, check_after=after)


def at_point(program: Program, point: str, change: int | None = None) -> Outcome:
    """Kill a program at a point, or in a change of its store, and resume it."""
    with _folder() as folder:
        process = Process(program, folder, "begin", point, change)
        if process.stops() == (point == NOT_KILLED):
            return Outcome("not reached", sentences=(process.end() or "The run ends without this point.",))
        process.kill()
        return _resumed(program, folder)


def in_writes(program: Program, most: int = _KILLS) -> Outcome:
    """Kill a program in several changes of its store, which are as far from each other as possible."""
    with _folder() as folder:
        observed = Process(program, folder, "begin", "", 0)
        observed.end()
        if not (changes := len(observed.said("change"))):
            return Outcome("nothing is stored")
    number = min(most, changes)
    wanted = [1 + at * (changes - 1) // max(1, number - 1) for at in range(number)]
    found = [at_point(program, IN_A_WRITE, change) for change in wanted]
    counted = Counter(one.outcome for one in found)
    outcome = "; ".join(f"{name} ({times})" for name, times in sorted(counted.items()))
    sentences = dict.fromkeys(sentence for one in found for sentence in one.sentences)
    return Outcome(outcome, kills=len(wanted), changes=changes, sentences=tuple(sentences))


def together(program: Program) -> Outcome:
    """Resume one checkpoint in two processes at once: both have begun before either does anything."""
    with _folder() as folder:
        process = Process(program, folder, "begin", "before-tool")
        process.stops()
        process.kill()
        both = [Process(program, folder, "resume", "first") for _ in range(2)]
        for one in both:
            one.stops()
        (folder / "go").touch()
        errors = [error for error in [one.end() for one in both] if error]
        counts = _counted(folder)
        found = _resumed(program, folder)
        twice = [name for name in EFFECTS if counts[name] > 1]
        once = "once" if all(counts[name] for name in EFFECTS) else "lost"
        outcome = (once, "one wins", "both fail")[len(errors)]
        if twice:
            outcome = f"twice: {', '.join(twice)} ({('both run', 'one fails', 'both fail')[len(errors)]})"
        said = [f"`{name}` ran in both processes." for name in twice]
        said += dict.fromkeys(f"An error: {plain(error)}" for error in errors)
        if found.outcome == "unusable" and len(errors) < 2:
            outcome, said = f"{outcome}, then unusable", [*said, found.sentences[-1]]
        return msgspec.structs.replace(found, kept=(), check=(), outcome=outcome, sentences=tuple(said))


def spoiled(program: Program, fault: str, whole: Outcome) -> Outcome:
    """Change the store of a program that was killed after its tools, and resume it. `whole`: without the change."""
    with _folder() as folder:
        process = Process(program, folder, "begin", "after-tools")
        process.stops()
        process.kill()
        files = [path for path in (folder / "store").rglob("*") if path.is_file() and path.stat().st_size]
        if not files:
            return Outcome("nothing is stored")
        largest = max(files, key=lambda path: path.stat().st_size)
        said = [f"The largest file of the store is `{largest.name}`."] if fault == "torn" and len(files) > 1 else []
        if fault == "torn":
            os.truncate(largest, largest.stat().st_size // 2)
        elif fault == "empty":
            for path in files:
                os.truncate(path, 0)
        else:
            changed = Process(program, folder, fault)
            if changed.end() or changed.said("without"):
                return Outcome("no version is stored")
        found = _resumed(program, folder)
        if found.outcome in ("unusable", "fails once"):
            outcome = "refused by name" if "store/" in " ".join(found.sentences) else "refused"
        else:
            outcome = "accepted" if found.kept == whole.kept else "read in part" if found.kept else "read as empty"
        return msgspec.structs.replace(found, outcome=outcome, sentences=(*said, *found.sentences))


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="kills-") as name:
        (Path(name) / "store").mkdir()
        yield Path(name).resolve()


def measured(program: Program) -> Implementation:
    """All results of a program."""
    found = {}
    for point in POINTS:
        if point == IN_A_WRITE:
            found[point] = in_writes(program)
        elif point == TOGETHER:
            found[point] = together(program)
        elif point in FAULTS:
            found[point] = spoiled(program, point, found["after-tools"])
        else:
            found[point] = at_point(program, point)
        print(f"{point}: {found[point].outcome}", flush=True)
    versions, store, resume, know = program.about() or [""] * len(ABOUT)
    return Implementation(versions, store, resume, know, found)


def programs() -> dict[str, Path]:
    """The programs by their names: `kills_dbos.py` of the folder pydantic_ai is pydantic_ai_dbos."""
    found = {path.parent.name + path.stem.removeprefix("kills"): path for path in sorted(ADAPTERS.glob("*/kills*.*"))}
    return found | {path.parents[1].name: path for path in ADAPTERS.glob("*/kills/kills.go")}


if __name__ == "__main__":
    for name in sys.argv[1:] or programs():
        result = measured(Program.of(programs()[name]))  # before the other results are read: it takes minutes
        write({**read(), name: result})
