"""The cost of a case on a store, against the calls of the store that the case makes."""

from __future__ import annotations

import asyncio
import importlib
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from loopspec import ReadRequest
from loopspec.contract.target import Target
from loopspec.engine.judge import judge
from loopspec.specification.cases import Case
from loopspec.specification.features import compiled
from loopspec.targets.resolve import resolve

from ..pages import ADAPTERS
from .measuring import LeftOut, Row, best_in_turns, seconds

ROUNDS = 30
Open = Callable[[Mapping[str, bytes]], Any]  # Any: an object of the adapter, with read and close
# One scene: thirty reads. The calls are those of one case: opening the store, the reads, closing.
CASE = "AMD-BACKEND-10 :: Ten files, each read three times"
# Folder, target, budget: 3 for a store in memory, 1.2 with a server.
STORES = [
    ("fsspec", "py:fsspec_adapter:Memory", 3),
    ("stores", "py:stores_adapter.memory:ObstoreMemory", 3),
    ("stores", "py:stores_adapter.memory:LangGraph", 3),
    ("stores", "py:stores_adapter.network:FsspecHttp", 1.2),
    ("stores", "py:stores_adapter.databases:Redis", 1.2),
]


def rows(short: bool) -> Iterator[Row | LeftOut]:
    """Measure the stores whose packages and servers are installed."""
    (case,) = (one for one in compiled() if one.id == CASE)
    for folder, name, budget in STORES:
        path = str(ADAPTERS / folder)
        sys.path.insert(0, path)
        try:
            module, _, factory = name.removeprefix("py:").partition(":")
            opened = getattr(importlib.import_module(module), factory)().open
            yield _row(resolve(name), opened, case, budget, 1 if short else ROUNDS)
        except Exception as error:  # a package, a program or a server is missing: each store says it in its own way
            yield LeftOut(f"one case, {name.rpartition(':')[2]}", " ".join(str(error).split())[:150])
        finally:
            sys.path.remove(path)


def _row(target: Target, opened: Open, case: Case, budget: float, rounds: int) -> Row:
    """The best times of a case and of the calls."""
    with asyncio.Runner() as runner:  # one event loop for all rounds, as loopspec has
        ours, other = best_in_turns(
            rounds,
            lambda: seconds(lambda: _judged(target, case)),
            lambda: seconds(lambda: runner.run(_called(opened, case))),
        )
    target.close()
    return Row(f"one case, {target.identity.name}", ours, other, "the calls of the store", budget)


def _judged(target: Target, case: Case) -> None:
    result = judge(case, target)
    if result.verdict != "passed":
        raise RuntimeError(result.message)


async def _called(open_store: Open, case: Case) -> None:
    """The same calls without loopspec: reads run in threads, concurrently."""
    opened = open_store({path: file.content for path, file in case.scene.files.items()})
    requests = [ReadRequest(path) for path in case.scene.files for _ in range(3)]
    await asyncio.gather(*(asyncio.to_thread(opened.read, request) for request in requests))
    opened.close()
