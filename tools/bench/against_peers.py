"""`python -m tools.bench.against_peers`: the reference's loop compared with agent frameworks, in one run.

Each peer is measured in the environment in which `loopspec run known:NAME` judges it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TypedDict

from loopspec_known.declarations import known
from loopspec_known.environments import installed
from loopspec_known.witnesses import packages_in

from .loops import HANDLERS, LONG, SHORT, bare, import_time, ours, peak, per_call, per_hook
from .measuring import Row

SCRIPTS = Path(__file__).parent / "peers"


class Measured(TypedDict):
    """The output of a peer's script: seconds per iteration by number of handlers, and of a long run; bytes."""

    handlers: dict[str, float]
    long: float
    peak: int


# by the name of the known target: the script, and the module whose import is timed
PEERS = {
    "langchain": ("langchain_agent.py", "langchain.agents"),
    "pydantic-ai": ("pydantic_ai_agent.py", "pydantic_ai"),
    "openai-agents": ("openai_agents_agent.py", "agents"),
}


def measured(python: Path, script: str) -> Measured:
    """The output of the peer's script."""
    done = subprocess.run([python, SCRIPTS / script], check=True, capture_output=True, text=True, cwd=SCRIPTS)
    said: Measured = json.loads(done.stdout.strip().splitlines()[-1])
    return said


def rows_against(name: str, peer: Measured, its_import: float) -> list[Row]:
    """The reference compared with one peer; the budgets are for LangChain."""
    budgets = (25, 50) if name == "langchain" else (None, None)
    mine = per_call(ours, SHORT, 0)
    found = [Row("one iteration", mine, peer["handlers"]["0"], name, budgets[0], faster=True)]
    if str(HANDLERS[-1]) in peer["handlers"]:
        of_peer = (peer["handlers"][str(HANDLERS[-1])] - peer["handlers"]["0"]) / HANDLERS[-1]
        found.append(Row("one call of an idle hook", per_hook(ours), of_peer, name, budgets[1], faster=True))
    its_growth = peer["long"] / peer["handlers"]["0"]
    found.append(Row(f"growth of an iteration, {SHORT} to {LONG}", growth(), its_growth, name))
    found.append(Row("peak memory of a run (bytes)", peak(ours, SHORT), peer["peak"], name, faster=True))
    found.append(Row("import", import_time("loopspec_reference"), its_import, name, faster=True))
    return found


def growth() -> float:
    """The ratio of the iteration times of a long run and of a short run."""
    return per_call(ours, LONG, 0) / per_call(ours, SHORT, 0)


def main() -> int:
    """Install, measure and print; return 1 if a budget is exceeded."""
    rows = [Row("one iteration", per_call(ours, SHORT, 0), per_call(bare, SHORT, 0), "a bare asyncio loop")]
    rows.append(Row("one call of an idle hook", per_hook(ours), per_hook(bare), "a bare asyncio loop"))
    rows.append(Row(f"growth of an iteration, {SHORT} to {LONG}", growth(), 1.0, "none", 1.25))
    for name, (script, module) in PEERS.items():
        python = packages_in(known(name), installed(known(name)))
        rows += rows_against(name, measured(python, script), import_time(module, str(python)))
    for row in rows:
        print(row.line())
    return 0 if all(row.is_within for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
