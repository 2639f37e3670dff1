"""The specification as a site: plain files that open from a disk, the same for the same features."""

from .command_line import Argument, Command, CommandLine, Example
from .folder import write_site
from .site import site

__all__ = ["Argument", "Command", "CommandLine", "Example", "site", "write_site"]
