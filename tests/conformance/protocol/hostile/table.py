"""What each misbehavior costs: the verdict of its own case and the sentence; None where it changes nothing."""

from __future__ import annotations

_CRASHED = "the process of hostile "
_LATE = " within 1 s: its messages are in --report, --timeout gives it more time"
_PRINTED = "to its standard output, which is for messages only: print to standard error instead"

COSTS: dict[str, tuple[str, str] | None] = {
    # time
    "silent": ("timed-out", f"hostile did not answer loader/load{_LATE}"),
    "slower-than-its-deadline": ("timed-out", f"hostile did not answer loader/load{_LATE}"),
    "slow": None,
    "ignores-sigterm": ("timed-out", f"hostile did not answer loader/load{_LATE}"),
    "stopped": ("timed-out", f"hostile did not answer loader/load{_LATE}"),
    "never-ends-the-case": ("timed-out", "hostile did not answer case/end within 2 s: "),
    "notices-that-it-is-taken-back": ("timed-out", f"hostile did not answer loader/load{_LATE}"),
    # what is written
    "prints": ("errored", f"the adapter has printed 'hello, world' {_PRINTED}"),
    "prints-an-empty-line": ("errored", f"the adapter has printed '' {_PRINTED}"),
    "fifty-megabytes": (
        "errored",
        "the adapter has written a line that is longer than 33554432 bytes",
    ),
    "floods-stderr": ("timed-out", f"hostile did not answer loader/load{_LATE}"),
    "writes-much-to-stderr": None,
    "floods-stdout": ("timed-out", f"hostile did not answer loader/load{_LATE}"),
    "never-reads": ("timed-out", f"hostile did not answer loader/load{_LATE}"),
    "invalid-utf8": ("errored", "the adapter has printed '\ufffd\ufffd{"),
    "invalid-utf8-in-a-string": ("errored", 'the adapter has answered loader/load with \'{"text":'),
    "half-a-character": ("errored", "which is no message of JSON-RPC: "),
    "nul": ("errored", "which is no message of JSON-RPC: "),
    "batch": ("errored", 'the adapter has written the batch \'[{"jsonrpc":'),
    "lists-in-lists": ("errored", 'the adapter has written \'{"jsonrpc":"2.0","id":'),
    "objects-in-objects": ("errored", 'the adapter has written \'{"jsonrpc":"2.0","id":'),
    "huge-number": ("failed", ""),
    "result-and-error": ("errored", 'the adapter has written \'{"id":'),
    "neither-result-nor-error": ("errored", 'the adapter has written \'{"jsonrpc":"2.0","id":'),
    "wrong-id": ("errored", "the adapter has answered 'h999999', which nobody has asked"),
    "number-as-id": ("errored", "which nobody has asked"),
    "fraction-as-id": ("errored", "which is no message of JSON-RPC"),
    "result-of-another-shape": (
        "errored",
        "the adapter has answered loader/load with '{\"sections\":7}'",
    ),
    "does-not-know-the-method": ("errored", "the adapter does not know loader/load, which what it declares needs"),
    "rpc-error": ("errored", "the adapter has answered loader/load with the error -32603: oh"),
    # what is out of turn
    "answers-twice": ("errored", "which has an answer already"),
    "answers-before-it-reads": ("failed", ""),
    "asks-for-the-case-before": ("errored", "the adapter says that it is broken itself: -32011"),
    "asks-for-a-case-to-come": ("errored", "the adapter has sent files/read of case "),
    "uses-an-id-twice": ("errored", "the adapter has used the id 'a0' again before it was answered"),
    "asks-without-an-id": ("errored", "the adapter has sent files/read as what it is not: it is a request"),
    "asks-nonsense": ("errored", 'the adapter has sent files/read with \'{"case":'),
    "numbers-its-requests": None,
    "asks-for-what-is-unknown": None,
    "tells-what-is-unknown": None,
    "says-that-it-is-broken": ("errored", "the adapter says that it is broken itself: I lost the handle o1"),
    # the end
    "exits": (
        "crashed",
        f"{_CRASHED}ended with exit code 3 before it answered loader/load; the last it said is 'panic: nothing to",
    ),
    "exits-at-once": ("crashed", f"{_CRASHED}ended with exit code 3 before it answered loader/load"),
    "killed": ("crashed", f"{_CRASHED}was ended by SIGKILL before it answered loader/load"),
    "ends-in-the-middle-of-a-line": ("crashed", f"{_CRASHED}ended with exit code 0 before it answered loader/load"),
    "closes-its-output": ("crashed", f"{_CRASHED}has closed its standard output before it answered loader/load"),
    "closes-its-input": ("crashed", f"{_CRASHED}has closed its standard input before it answered "),
    "grandchild-holds-the-pipe": ("crashed", f"{_CRASHED}ended with exit code 0 before it answered loader/load"),
    "grandchild-floods-the-pipe": ("crashed", f"{_CRASHED}ended with exit code 0 before it answered loader/load"),
    "grandchild-ignores-everything": ("crashed", f"{_CRASHED}ended with exit code 0 before it answered loader/load"),
    # between two cases
    "prints-between-cases": None,
    "exits-between-cases": None,
    "ends-the-case-twice": None,
    "asks-too-late": None,
    "is-deaf-between-cases": None,
}
