"""`loopspec lint`: what goes wrong with the instruction files of a repository, as each tool reads them.

What belongs here: the rules with their examples, the checks, the configuration and the forms of the output. The reader
of instruction files is the reference's.
"""

from .configuration import Configuration, Ignore, configuration_of, require_tool
from .findings import Finding, Report, Suppressed
from .formats import FORMATS
from .linter import lint
from .rules import Example, Rule, rules, tools_by_name

__all__ = [
    "FORMATS",
    "Configuration",
    "Example",
    "Finding",
    "Ignore",
    "Report",
    "Rule",
    "Suppressed",
    "configuration_of",
    "lint",
    "require_tool",
    "rules",
    "tools_by_name",
]
