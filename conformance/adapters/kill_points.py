"""What the programs `kills.py` share: the points at which they can be killed, their journal, tools and model.

A program is called as `kills.py FOLDER PHASE POINT`, and works in the folder. It writes what it does to `journal`, for
the harness, and keeps its store in `store`. When it reaches the point, it says so in the journal and waits: to be
killed, or for the file `go`. At the point `first`, each call of a model or a tool waits. Called without arguments, it
reads them from the lines of its input, and forks a process for each line: imports of a framework take most of the time.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Generator, Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

STORE = Path("store")
ASKED = "Reserve a seat and charge the card."
DONE = {"reserve": "reserved", "charge": "charged"}  # what the tools return
FINAL = "The seat is reserved and the card is charged."
_MODEL = (("before-model", "in-model", "after-model"), ("after-tools", "in-second-model", ""))
_point = [""]
_reached: list[str] = []
_wanted: list[str] = []  # the tools that the latest answer calls
_ended: set[str] = set()
_models: list[int] = []
Steps = Generator[Callable[[], bool], None, Any]  # conditions: the program waits as long as one holds


class RefusedByProvider(Exception):
    """What a provider answers to a request in which a call has no result, or a result has no call."""


def note(*words: str) -> None:
    """Add a line to the journal, at once."""
    line = f"{os.getpid()} {' '.join(words)}\n".replace(f"{Path.cwd()}/", "")
    with Path("journal").open("ab", buffering=0) as journal:
        journal.write(line.encode())


def _at(point: str) -> Callable[[], bool]:
    def waits() -> bool:
        if _point[0] not in (point, "first") or not point:
            return False
        if not _reached:
            _reached.append(point)
            note("at", point)
        return not Path("go").exists()

    return waits


def _calling(name: str) -> Steps:
    """A call of a tool. The second call of an answer waits for the first: frameworks make them at the same time."""
    is_first = name == "reserve"
    yield lambda: not is_first and "reserve" in _wanted and "reserve" not in _ended
    yield _at("before-tool" if is_first else "between-tools")
    note("start", name)
    if is_first:
        yield _at("in-tool-before-effect")
    note("effect", name)
    yield _at("in-tool-after-effect" if is_first else "in-last-tool")
    note("end", name)
    _ended.add(name)
    return DONE[name]


def _answering(calls: Sequence[tuple[str, str]], results: Sequence[tuple[str, str]]) -> Steps:
    """A call of the model: it calls the tools of which its request has no result that says that they are done."""
    before, within, after = _MODEL[min(len(_models), 1)]
    _models.append(1)
    yield _at(before)
    note("model")
    yield _at(within)
    answered = [call for call, _ in results]
    for call, name in calls:
        if answered.count(call) != 1:
            note("refused", name)
            raise RefusedByProvider(f"400: the call {call!r} has {answered.count(call)} results")
    if lost := [call for call in answered if call not in dict(calls)]:
        raise RefusedByProvider(f"400: the result of {lost[0]!r} has no call")
    said = dict(results)
    done = {name for call, name in calls if DONE[name] in said[call]}
    _wanted[:] = [name for name in DONE if name not in done]
    numbers = {name: 1 + sum(other == name for _, other in calls) for name in _wanted}
    yield _at(after)
    return [(f"{name}-{numbers[name]}", name) for name in _wanted]


def _driven(steps: Steps) -> Any:
    try:
        while True:
            waits = next(steps)
            while waits():
                time.sleep(0.05)
    except StopIteration as end:
        return end.value


async def _driven_async(steps: Steps) -> Any:
    try:
        while True:
            waits = next(steps)
            while waits():
                await asyncio.sleep(0.05)
    except StopIteration as end:
        return end.value


def tool(name: str) -> str:
    """The body of a tool."""
    return str(_driven(_calling(name)))


async def tool_async(name: str) -> str:
    """The body of an asynchronous tool."""
    return str(await _driven_async(_calling(name)))


def model(calls: Sequence[tuple[str, str]], results: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The calls of the next answer, by the calls and the results of its request; none: the answer is `FINAL`.

    A call is its id and the name of its tool, and a result is the id of its call and its text.
    """
    return list(_driven(_answering(calls, results)))


async def model_async(calls: Sequence[tuple[str, str]], results: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The same, without blocking."""
    return list(await _driven_async(_answering(calls, results)))


def history(when: str, form: str, messages: Iterable[Any]) -> None:
    """Write the stored messages, in a format of `loopspec check`: `before` a run is resumed, or `after` it."""
    Path(f"{when}.{form}.json").write_text(json.dumps([*messages], default=str), encoding="utf-8")


def chat(
    role: str, text: str, calls: Sequence[tuple[str, str]] = (), results: Sequence[tuple[str, str]] = ()
) -> list[dict[str, Any]]:
    """A message as the chat interface of OpenAI has it: each of its results is a message of its own.

    A call is its id and the name of its tool, and a result is the id of its call and its text.
    """
    functions = [{"id": call, "function": {"name": name, "arguments": "{}"}} for call, name in calls]
    own = [{"role": role, "content": text, **({"tool_calls": functions} if calls else {})}]
    others = [{"role": "tool", "tool_call_id": call, "content": result} for call, result in results]
    if not (text or calls) and results:
        return others
    return [*own, *others] if calls else [*others, *own]


def main(phases: dict[str, Callable[[], Any]], packages: Sequence[str], **about: str) -> None:
    """Perform a phase, and note how it ends. A phase returns the final text.

    `store` and `resume` say what the program uses of its framework, and `know` what its user should know.
    """
    about["versions"] = ", ".join(f"{name} {version(name)}" for name in packages)
    if arguments := sys.argv[1:]:
        _perform(phases, about, *arguments)
        return
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nothing remains of a process that has ended
    for line in sys.stdin:
        if not (process := os.fork()):
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            folder, phase, point, *settings = line.split()
            os.environ.update(one.split("=", 1) for one in settings)
            try:
                _perform(phases, about, folder, phase, point)
            finally:
                os._exit(0)
        sys.stdout.write(f"{process}\n")
        sys.stdout.flush()


def _perform(phases: dict[str, Callable[[], Any]], about: dict[str, str], folder: str, phase: str, point: str) -> None:
    os.chdir(folder)
    for descriptor in (1, 2):
        os.dup2(os.open("output", os.O_WRONLY | os.O_APPEND | os.O_CREAT), descriptor)
    _point[0] = point
    for word, what in about.items():
        note(word, what)
    if phase not in phases:
        note("without", phase)
        return
    try:
        ended = phases[phase]()
        ended = asyncio.run(ended) if inspect.isawaitable(ended) else ended
    except Exception as error:
        traceback.print_exc()
        note("failed", f"{type(error).__name__}:", " ".join(str(error).split())[:300])
    else:
        note("ended", " ".join(str(ended).split()))
