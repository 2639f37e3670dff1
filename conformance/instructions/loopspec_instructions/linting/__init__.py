"""`loopspec lint`: what goes wrong with the instruction files of a repository, as each tool reads them.

What belongs here: the rules with their examples, the checks, the configuration and the forms of the output. The reader
of instruction files is the reference's.
"""

from .findings import Finding, Report
from .linter import lint
from .rules import Example, Rule, known_tools, rules, sources_of

__all__ = ["Example", "Finding", "Report", "Rule", "known_tools", "lint", "rules", "sources_of"]
