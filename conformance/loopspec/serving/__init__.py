"""An adapter in Python: any `py:` target, served over a pipe.

`server.serve` builds a Stage whose doubles call the harness at the other end, and performs the target on it.
"""
