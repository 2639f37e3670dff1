"""`loopspec lint`: what goes wrong with the instruction files of a repository, as each tool reads them.

What belongs here: the rules with their examples, the checks, the configuration and the forms of the output. The reader
of instruction files is the reference's.
"""

from .configuration import Configuration, Ignore, configuration_of, require_tool
from .findings import LEVELS, Finding, Report, Suppressed
from .fixes import changes, write_changes
from .formats import FORMATS
from .linter import lint
from .rules import Example, Rule, Source, known_tools, rules, sources_of, tools_by_name

__all__ = [
    "FORMATS",
    "LEVELS",
    "Configuration",
    "Example",
    "Finding",
    "Ignore",
    "Report",
    "Rule",
    "Source",
    "Suppressed",
    "changes",
    "configuration_of",
    "known_tools",
    "lint",
    "require_tool",
    "rules",
    "sources_of",
    "tools_by_name",
    "write_changes",
]
