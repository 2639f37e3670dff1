"""The output of a peer's script, which runs in the peer's interpreter and does not import loopspec."""

import asyncio
import json
import time
import tracemalloc

SHORT, LONG = 50, 200
HANDLERS = (0, 5, 20)


def report(run, handlers=HANDLERS, rounds=5):
    """Time `await run(calls, handlers)` and print seconds per iteration, and the bytes of one run."""

    async def timed(calls, idle):
        began = time.perf_counter()
        await run(calls, idle)
        return (time.perf_counter() - began) / calls

    with asyncio.Runner() as runner:
        runner.run(run(SHORT, 0))
        times = {str(idle): min(runner.run(timed(SHORT, idle)) for _ in range(rounds)) for idle in handlers}
        long = min(runner.run(timed(LONG, 0)) for _ in range(2))
        tracemalloc.start()
        runner.run(run(SHORT, 0))
        peak = tracemalloc.get_traced_memory()[1]
    print(json.dumps({"handlers": times, "long": long, "peak": peak}))
