"""Deadlines on a busy machine."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from loopspec.engine.deadlines import DeadlinePassed, before_deadline

BUSY = "while True: pass"
# an act of 0.4 seconds of CPU, with a deadline of 1.2 seconds, on one processor with four busy processes
ACT = """
import os, sys, time
from loopspec.engine.deadlines import before_deadline
os.sched_setaffinity(0, {int(sys.argv[1])})
start = time.monotonic()
def act():
    until = time.process_time() + 0.4
    while time.process_time() < until: pass
before_deadline(1.2, act)
print(time.monotonic() - start)
"""

linux = pytest.mark.skipif(
    not Path("/proc/self/schedstat").exists(), reason="only Linux reports how long a process was ready to run"
)


@pytest.fixture
def busy_processor() -> Iterator[int]:
    """One processor with four busy processes."""
    processor = min(os.sched_getaffinity(0))
    pinned = f"import os; os.sched_setaffinity(0, {{{processor}}})\n{BUSY}"
    processes = [subprocess.Popen([sys.executable, "-c", pinned]) for _ in range(4)]
    yield processor
    for process in processes:
        process.kill()
        process.wait()


@linux
def test_time_in_which_other_processes_run_does_not_count(busy_processor: int) -> None:
    """The act takes longer than its deadline, since it shares a processor, and is not interrupted."""
    done = subprocess.run(
        [sys.executable, "-c", ACT, str(busy_processor)], capture_output=True, text=True, check=False, timeout=60
    )

    assert (done.stderr, done.returncode) == ("", 0)
    assert float(done.stdout) > 1.2


def test_time_in_which_the_act_waits_counts() -> None:
    """An act that sleeps is interrupted."""
    with pytest.raises(DeadlinePassed):
        before_deadline(0.2, lambda: time.sleep(60))
