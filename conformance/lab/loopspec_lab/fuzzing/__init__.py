"""Differential runs: two targets perform generated scenes, and their observations are compared.

Only this package imports hypothesis, which is in the extra `loopspec[fuzz]`; importing it raises `UsageError` without.
"""

from loopspec.contract.faults import UsageError

try:
    import hypothesis  # noqa: F401  # only to see whether it is there
except ImportError:
    raise UsageError("fuzz needs hypothesis: python -m pip install 'loopspec[fuzz]'") from None
