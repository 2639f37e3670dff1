"""The cost of each misbehavior: the verdict of its own case and a part of the message; None for no effect."""

from __future__ import annotations

_CRASHED = "the process of hostile "
_LATE = " within 1 s: see its messages in --report, or give it more time with --timeout"
_PRINTED = "to its standard output, which is for messages only: print to standard error instead"

COSTS: dict[str, tuple[str, str] | None] = {
    # time
    "silent": ("timed-out", f"hostile did not answer loader/load{_LATE}"),
    "slower-than-its-deadline": ("timed-out", f"hostile did not answer loader/load{_LATE}"),
    "slow": None,
    "ignores-sigterm": ("timed-out", f"hostile did not answer loader/load{_LATE}"),
    "stopped": ("timed-out", f"hostile did not answer loader/load{_LATE}"),
    "never-ends-the-case": ("timed-out", "hostile did not answer case/end within 2 s: "),
    "notices-the-cancellation": ("timed-out", f"hostile did not answer loader/load{_LATE}"),
    # what is written
    "prints": ("errored", f"the adapter printed 'hello, world' {_PRINTED}"),
    "prints-an-empty-line": ("errored", f"the adapter printed '' {_PRINTED}"),
    "fifty-megabytes": (
        "errored",
        "the adapter wrote a line that is longer than 33554432 bytes",
    ),
    "floods-stderr": ("timed-out", f"hostile did not answer loader/load{_LATE}"),
    "writes-much-to-stderr": None,
    "floods-stdout": ("timed-out", f"hostile did not answer loader/load{_LATE}"),
    "never-reads": ("timed-out", f"hostile did not answer loader/load{_LATE}"),
    "invalid-utf8": ("errored", "the adapter printed '\ufffd\ufffd{"),
    "invalid-utf8-in-a-string": ("errored", 'the adapter answered loader/load with \'{"value":'),
    "half-a-character": ("errored", "which is not a message of JSON-RPC: "),
    "nul": ("errored", "which is not a message of JSON-RPC: "),
    "batch": ("errored", 'the adapter wrote the batch \'[{"jsonrpc":'),
    "lists-in-lists": ("errored", 'the adapter wrote \'{"jsonrpc":"2.0","id":'),
    "objects-in-objects": ("errored", 'the adapter wrote \'{"jsonrpc":"2.0","id":'),
    "huge-number": ("failed", ""),
    "result-and-error": ("errored", 'the adapter wrote \'{"id":'),
    "neither-result-nor-error": ("errored", 'the adapter wrote \'{"jsonrpc":"2.0","id":'),
    "wrong-id": ("errored", "the adapter answered 'h999999', which is the id of no request"),
    "number-as-id": ("errored", "which is the id of no request"),
    "fraction-as-id": ("errored", "which is not a message of JSON-RPC"),
    "result-without-a-value": ("errored", "loader/load with '{}': it has neither a `value` nor an `error`"),
    "result-of-another-shape": (
        "errored",
        "the adapter answered loader/load with '{\"value\":7}'",
    ),
    "does-not-know-the-method": ("errored", "the adapter does not know loader/load, which its declarations need"),
    "rpc-error": ("errored", "the adapter answered loader/load with the error -32603: oh"),
    # what is out of turn
    "answers-twice": ("errored", "which has been answered already"),
    "answers-before-it-reads": ("failed", ""),
    "asks-for-the-case-before": ("errored", "the adapter reports a fault of its own: -32011"),
    "asks-for-a-case-to-come": ("errored", "the adapter sent files/read for case "),
    "uses-an-id-twice": ("errored", "the adapter used the id 'a0' for two requests at the same time"),
    "asks-without-an-id": ("errored", "the adapter sent files/read in the wrong form: it is a request"),
    "asks-nonsense": ("errored", 'the adapter sent files/read with the params \'{"case":'),
    "numbers-its-requests": None,
    "asks-for-what-is-unknown": None,
    "sends-an-unknown-notification": None,
    "reports-a-fault": ("errored", "the adapter reports a fault of its own: I lost the handle o1"),
    # the end
    "exits": (
        "crashed",
        f"{_CRASHED}ended with exit code 3 before it answered loader/load; stderr ends with 'panic: nothing to",
    ),
    "exits-at-once": ("crashed", f"{_CRASHED}ended with exit code 3 before it answered loader/load"),
    "killed": ("crashed", f"{_CRASHED}was ended by SIGKILL before it answered loader/load"),
    "ends-in-the-middle-of-a-line": ("crashed", f"{_CRASHED}ended with exit code 0 before it answered loader/load"),
    "closes-its-output": ("crashed", f"{_CRASHED}closed its standard output before it answered loader/load"),
    "closes-its-input": ("crashed", f"{_CRASHED}closed its standard input before it answered "),
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
