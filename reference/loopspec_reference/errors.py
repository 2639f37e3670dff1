"""What can go wrong, by whose hand.

    LoopError
    ├── ConfigError (ValueError)         the agent or a handler cannot be built as configured
    ├── OutsideRunError (RuntimeError)   a run-local function was called while no run was going on
    ├── UnknownToolError (LookupError)   the model asked for a tool the agent does not have
    └── IterationLimitError              the run would need more model calls than it is allowed

A file that cannot be read is reported by the built-in exception its backend raised, with a note that says which
file was being loaded and who asked for it.
"""


class LoopError(Exception):
    """The root of the errors of this package."""


class ConfigError(LoopError, ValueError):
    """The agent or a handler cannot be built as configured."""


class OutsideRunError(LoopError, RuntimeError):
    """A run-local function was called while no run was going on."""


class UnknownToolError(LoopError, LookupError):
    """The model asked for a tool the agent does not have."""


class IterationLimitError(LoopError):
    """The run would need more model calls than it is allowed."""
