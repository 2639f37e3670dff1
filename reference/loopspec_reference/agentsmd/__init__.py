"""The AgentsMD middleware: instruction files for an agent.

What belongs here: the configuration, the backends, the loader with its path rules, the rendering, and the handler that
puts the text into a conversation. The loop does not depend on this package.
"""

from .config import Config, LoadWarning, Reason
from .handler import MARKER, AgentsMD
from .loader import Section, load
from .rendering import render

__all__ = ["MARKER", "AgentsMD", "Config", "LoadWarning", "Reason", "Section", "load", "render"]
