"""The AgentsMD middleware: instructions files for an agent."""

from .config import Config, LoadWarning, Reason
from .handler import MARKER, AgentsMD
from .loader import Section, load
from .rendering import render

__all__ = ["MARKER", "AgentsMD", "Config", "LoadWarning", "Reason", "Section", "load", "render"]
